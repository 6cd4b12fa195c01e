import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../../lib/package-root.js'
import { type Check, failed, ok } from '../finding.js'

// Ours: answers of our own stores and settings.

/** Checks the Node.js that runs against `engines` of the package. */
export function nodeVersionCheck(version = process.versions.node): Check {
  return {
    name: 'Node.js',
    async run() {
      const { engines } = JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as {
        engines: { node: string }
      }
      return isWithin(version, engines.node)
        ? [ok(version)]
        : [failed(`${version} is not supported.`, `Install one of ${engines.node} (https://nodejs.org).`)]
    },
  }
}

/** Understands the ranges that the package uses: `^20.19 || >=24`. */
function isWithin(version: string, ranges: string): boolean {
  const [major, minor] = parseVersion(version)
  return ranges.split('||').some((range) => {
    const [wantedMajor, wantedMinor] = parseVersion(range)
    const isSameMajor = major === wantedMajor && minor >= wantedMinor
    return isSameMajor || (range.includes('>=') && major > wantedMajor)
  })
}

function parseVersion(text: string): [number, number] {
  const [major = 0, minor = 0] = (/\d+(?:\.\d+)?/.exec(text)?.[0] ?? '').split('.').map(Number)
  return [major, minor]
}
