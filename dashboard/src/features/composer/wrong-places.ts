import { Problem } from '../../api/problem.js'

/** Fields of the API that have another name in the builders. */
const NAMES: Readonly<Record<string, string>> = { footerText: 'footer', imageButton: 'picture', name: 'place' }

/** Returns the reason for each place of the builders that the gateway refused. */
export function findWrongPlaces(
  error: Error | null,
  places: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (!(error instanceof Problem)) return {}
  return Object.fromEntries(
    Object.entries(error.fields).map(([field, why]) => [places[field] ?? NAMES[field] ?? field, why]),
  )
}
