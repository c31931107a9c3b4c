#!/usr/bin/env python3
"""Checks that the JavaScript modules of a folder import each other without cycles: import_cycles.py FOLDER. Prints each cycle."""
import pathlib
import re
import sys

IMPORT = re.compile(r"""^\s*(?:import|export)\b[^'"]*['"](\.[^'"]+)['"]""", re.MULTILINE)


def imports(folder):
    """The modules of the folder, each with the modules that it imports."""
    graph = {}
    for path in sorted(folder.rglob("*.js")):
        graph[path] = [(path.parent / name).resolve() for name in IMPORT.findall(path.read_text())]
        for other in graph[path]:
            if not other.exists():
                sys.exit(f"{path.relative_to(folder)} imports {other.name}, which does not exist")
    return graph


def cycles(graph):
    done, stack = set(), []

    def visit(module):
        if module in stack:
            yield stack[stack.index(module):] + [module]
        elif module not in done:
            stack.append(module)
            for other in graph.get(module, []):
                yield from visit(other)
            stack.pop()
            done.add(module)

    for module in graph:
        yield from visit(module)


def main(folder):
    found = list(cycles(imports(folder)))
    for cycle in found:
        print("import cycle: " + " -> ".join(str(module.relative_to(folder)) for module in cycle))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
