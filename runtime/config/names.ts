/** Finds misspelt settings in an environment, such as `ENCRYPTON_KEY` or `LEASE_TTL`. */
import { distanceBetween } from '../../schemas/nearest.js'

// Ours: settings of the operator.

/** Prefixes of our settings that other programs hardly use. */
const prefixes = ['POSTHORN_', 'WA_', 'WEBHOOK_', 'RATE_LIMIT_', 'SSE_', 'ENCRYPTION_', 'INSTANCES_', 'PAIRING_CODE_']

/**
 * Read by the command line, the examples, the tests and the demo only, or given to the processes of NODE_PROCESSES by their supervisor. A terminal in
 * which the command line is used starts gateways as well.
 */
const otherNames = /^POSTHORN_((TEST|DEMO|BENCH|SANDBOX)_|(PROCESS|URL|TOKEN|ADMIN_TOKEN|KEY)$)/

/** Matches the variables that Kubernetes and `docker --link` set for every service. */
const serviceLink = /_(SERVICE_(HOST|PORT)(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/

/** Names that are common in pod manifests and close to ours by accident. */
const foreignNames = new Set(['NODE_IP', 'NODE_OS', 'NODE_PORT'])

const units = ['_MS', '_BYTES', '_DAYS', '_PER_SECOND', '_PER_MINUTE', '_MAX']

/** Returns a sentence for each unknown name that looks like one of `names`. */
export function unknownNames(given: Iterable<string>, names: readonly string[]): string[] {
  const mistakes: string[] = []
  const candidates = names.map((name) => ({ name, letters: plain(name) }))
  for (const name of given) {
    if (names.includes(name) || otherNames.test(name) || serviceLink.test(name) || foreignNames.has(name)) continue
    const nearest = nearestName(name, candidates)
    if (nearest !== undefined) mistakes.push(`${name}: unknown; did you mean ${nearest}?`)
    else if (prefixes.some((prefix) => name.startsWith(prefix)))
      mistakes.push(`${name}: unknown; the settings are listed in docs/reference/configuration.md.`)
  }
  return mistakes
}

function nearestName(
  name: string,
  candidates: readonly { readonly name: string; readonly letters: string }[],
): string | undefined {
  const isOurs = prefixes.some((prefix) => name.startsWith(prefix))
  const given = plain(name)
  let best: { name: string; distance: number } | undefined
  for (const { name: candidate, letters } of candidates) {
    const withUnit = units.some((unit) => `${name}${unit}` === candidate)
    const tolerated = tolerance(candidate, isOurs)
    // The lengths alone say it of most: an environment has a hundred names.
    if (!withUnit && Math.abs(given.length - letters.length) > tolerated) continue
    const distance = distanceBetween(given, letters)
    if (!withUnit && distance > tolerated) continue
    if (best === undefined || distance < best.distance) best = { name: candidate, distance }
  }
  return best?.name
}

/** Returns the maximum distance of a misspelt name. Short names such as HOST and PORT are too near to those of other programs. */
function tolerance(candidate: string, isOurs: boolean): number {
  if (candidate.length < 6) return -1
  if (isOurs) return Math.max(2, Math.floor(candidate.length / 3))
  return candidate.length < 9 ? 1 : 2
}

function plain(name: string): string {
  return name.toUpperCase().replaceAll(/[_.-]/g, '')
}
