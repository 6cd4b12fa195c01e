#!/bin/sh
# Starts a gateway with the options of V8 and of the allocator that docs/decisions/0034-options-of-v8.md explains. A start without them works
# too, and takes more memory. `npm start` runs this, and so does whoever runs the folder that scripts/image.sh makes; the image has the same
# options in its entry point. Arguments go to the gateway.
set -eu

# The allocator reads this before the program runs. More than two arenas keep memory that nobody uses.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}"
# The process replaces the shell, so that it gets SIGTERM itself.
exec node --min-semi-space-size=4 --max-semi-space-size=16 --initial-old-space-size=40 "$(dirname "$0")/../dist/main.js" "$@"
