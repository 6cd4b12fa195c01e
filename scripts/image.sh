#!/bin/sh
# Puts what a node needs to run, and nothing else, into a new folder: the built program, its schemas, migrations and Redis scripts, the
# packages that it needs. `node dist/main.js` starts it there; nothing in it is ever written to.
#
#   npm ci && npm run build && scripts/image.sh FOLDER
#
# The Dockerfile does this, and scripts/image.integration.ts.
set -eu

[ $# -eq 1 ] || { echo "usage: scripts/image.sh FOLDER" >&2; exit 2; }
cd "$(dirname "$0")/.."
[ -f dist/main.js ] || { echo "There is no dist/main.js: run npm run build first." >&2; exit 1; }
# Not into one that holds something: what an earlier version had would stay.
mkdir "$1"
target=$(cd "$1" && pwd)

# Not within the pipe below, where nobody would notice that it fails.
packages=$(npm ls --omit=dev --all --parseable | tail -n +2 | sort -u)
[ -n "$packages" ] || { echo "npm ls names no package: run npm ci first." >&2; exit 1; }

cp package.json LICENSE NOTICE "$target"
{
  for program in main doctor; do echo dist/$program.js dist/$program.js.map; done | tr ' ' '\n'
  # Parts of the program; not its tests, nor the sandbox, the demo, the benches and what is for building.
  find dist/actors dist/api dist/runtime dist/schemas -type f \
    ! -name '*.test.js*' ! -name '*.integration.js*' ! -name '*.faults.js*' ! -name '*.browser.js*' ! -name '*.long.js*'
  find schemas -type f -name '*.json'
  find runtime -type f \( -name '*.sql' -o -name '*.lua' \)
  # Each package in its place, without packages in it: those that are needed are named themselves.
  echo "$packages" | sed "s#^$PWD/##" | while read -r package; do
    find "$package" -name node_modules -prune -o \( -type f -o -type l \) -print
  done
} | tar -cf - -T - | tar -xf - -C "$target" --no-same-owner
