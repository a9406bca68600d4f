"""MPCBench as a package: `mpcbench.schema` is the folder `schema/` of the repository, and so on.

This folder holds links to the folders beside it, so that a checkout, an installed wheel, mypy and editors all see one
package. An installed wheel holds the folders themselves.
"""

from pathlib import Path

_HERE = Path(__file__).parent

# A checkout without symbolic links, as Git makes on Windows by default: the folders are found beside this one.
if not (_HERE / "schema").is_dir():
    __path__.append(str(_HERE.parent))
