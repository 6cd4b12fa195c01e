/** Reads the parameters of a query. */
import type { ParsedUrlQuery } from 'node:querystring'
import { GatewayError } from '../../schemas/errors.js'
import type { Route } from '../route.js'

// Bound: 16,384, the target of a request.

type Query = Readonly<ParsedUrlQuery>

/** Joins repeated parameters by commas, and leaves out the token. */
export function queryOf(query: Query, route: Pick<Route, 'tokenInQuery'>): Record<string, string> {
  const texts = textsOf(query, route)
  checkTexts(texts)
  return texts
}

export function textsOf(query: Query, route: Pick<Route, 'tokenInQuery'>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [key, value] of Object.entries(query)) {
    if (route.tokenInQuery && (key === 'token' || key === 'admintoken')) continue
    texts[key] = Array.isArray(value) ? value.join(',') : (value ?? '')
  }
  return texts
}

/** Rejects characters that no store takes. */
export function checkTexts(texts: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(texts)) {
    if (!/\p{Surrogate}|\p{Cc}/u.test(text)) continue
    throw new GatewayError('INVALID_REQUEST', {
      details: [{ field: key.slice(0, 100), why: 'holds a control character' }],
    })
  }
}
