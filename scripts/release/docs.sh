#!/bin/sh
# Builds the documentation into dist/docs, and puts it on the branch from which the site is served.
set -eu
cd "$(dirname "$0")/../.."
. scripts/release/version.sh
node dist/scripts/docs.js --build
site=$(mktemp -d)
cp -R dist/docs/. "$site"
touch "$site/.nojekyll"
git -C "$site" init --quiet --initial-branch gh-pages
git -C "$site" add --all
git -C "$site" -c user.name=release -c user.email=release@posthorn.example commit --quiet --message "docs: build $version"
git -C "$site" push --force "https://x-access-token:${GITHUB_TOKEN:-}@github.com/${GITHUB_REPOSITORY:-}.git" gh-pages
