/** The page of error codes, made from their registry. */
import { type ErrorKind, errors, type Retry } from '../schemas/errors.js'

const advice: Readonly<Record<Retry, string>> = {
  never: 'no: the same call fails again',
  later: 'later: nothing happened, wait and ask again',
  safe: 'at once or after `Retry-After`: nothing happened',
  check: 'look first whether it happened',
}

/** The text of `docs/reference/errors.md`. */
export function errorsPage(): string {
  const rows = (Object.entries(errors) as [string, ErrorKind][])
    .sort(([oneCode, one], [otherCode, other]) => one.status - other.status || oneCode.localeCompare(otherCode))
    .map(([code, { status, retry, means }]) => `| \`${code}\` | ${status} | ${means} | ${advice[retry]} |`)
  return [
    '# Errors',
    '',
    'Made by `npm run generate` from `schemas/errors.ts`; change that.',
    '',
    'Every failed call answers with JSON: `{ "error": "a sentence for people", "code": "ONE_OF_THESE" }`. A request that does',
    'not fit its schema adds `details`, one entry for each field; a refusal by WhatsApp adds `provider_code`.',
    '',
    '| code | status | what it means | ask again? |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
