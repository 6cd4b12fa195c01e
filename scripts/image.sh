#!/bin/sh
# Puts what a node needs to run, and nothing else, into a new folder: the built programs, their schemas, migrations and Redis scripts, and
# the packages that they need. `scripts/start.sh` starts it there; nothing in it is ever written to.
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
# The client library is a package of this repository, and nothing that a node needs.
packages=$(npm ls --omit=dev --all --parseable | tail -n +2 | grep -v '/posthorn-client$' | sort -u)
[ -n "$packages" ] || { echo "npm ls names no package: run npm ci first." >&2; exit 1; }

cp package.json LICENSE NOTICE "$target"
{
  # `scripts/bundle.ts` makes them: the programs of a node, each with its modules and most of its packages, and their parts. Not those for terminals.
  find dist -maxdepth 1 -type f \( -name '*.js' -o -name '*.js.map' -o -name '*.wasm' \) \
    ! -name posthorn.js ! -name demo.js ! -name sandbox.js ! -name 'part-tool-*'
  # The files of the dashboard, each with its compressed copies.
  [ ! -d dist/dashboard ] || find dist/dashboard -type f
  echo scripts/start.sh
  find schemas -type f -name '*.json'
  find runtime -type f \( -name '*.sql' -o -name '*.lua' \)
  # Each package in its place, without packages in it: those that are needed are named themselves. A fifth of all is types and maps, which
  # nothing reads, and nine tenths of the packages for language models.
  echo "$packages" | sed "s#^$PWD/##" | while read -r package; do
    find "$package" -name node_modules -prune -o \( -type f -o -type l \) -print
  done | grep -Ev '^node_modules/((@ai-sdk/[^/]+|zod)/(src|docs)/|.*[.](map|[cm]?ts)$)'
} | tar -cf - -T - | tar -xf - -C "$target" --no-same-owner
