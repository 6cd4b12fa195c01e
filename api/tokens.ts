/** Finds the caller of a request by its token. */
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { entriesMax } from '../lib/entries-max.js'
import { GatewayError } from '../schemas/errors.js'
import {
  CODE_PREFIX,
  PAIRING_CODE_PREFIX,
  PAIRING_PREFIX,
  PASS_PREFIX,
  type PassAccess,
  type PassParent,
} from '../schemas/ports/access.js'
import type { ApiContext } from './context.js'
import type { ApiPorts } from './ports.js'
import type { RateLimiter } from './rate-limits.js'
import type { Auth, Caller } from './route.js'

// Bound: 1,048,576, a body or header of a request.

export interface Credentials {
  readonly token: string
  readonly adminToken: string
}

/**
 * Checks tokens, and slows down guesses: refuses an address with too many unknown tokens, except for tokens that were good here lately,
 * so that one wrong setting does not lock out its neighbours behind the same address.
 */
export function createTokenCheck(ports: ApiPorts, failures: RateLimiter, isStoreCurrent: () => boolean = () => true) {
  const good = new LRUCache<string, true>({ ...entriesMax(10_000), ttl: 10 * 60_000 })

  /** `takesCode`: the operation takes a code of a link for a token. @throws GatewayError INVALID_TOKEN, INVALID_ADMIN_TOKEN, RATE_LIMITED, STORE_UNAVAILABLE */
  return async function check(
    auth: Auth,
    { token, adminToken }: Credentials,
    address: string,
    takesCode: boolean,
  ): Promise<Caller> {
    // Administrators may ask how the node is.
    if (auth !== 'admin' && adminToken === '' && !isStoreCurrent()) throw new GatewayError('STORE_UNAVAILABLE')
    if (takesCode && adminToken.startsWith(CODE_PREFIX)) return await checkPass(adminToken, 'admin', address)
    if (takesCode && adminToken === '' && isCodeOfLink(token)) return await checkPass(token, 'instance', address)
    if (auth === 'admin' || (auth === 'either' && adminToken !== '')) return await checkAdmin(adminToken, address)
    if (token.startsWith(PASS_PREFIX) || token.startsWith(PAIRING_PREFIX))
      return await checkPass(token, 'instance', address)
    const tokenKey = hashToken(token)
    if (!good.has(tokenKey)) failures.check(address)
    // Does not look up a token of an absurd length or form. It counts as a failure like any other.
    const access = isPlausible(token) ? await ports.instances.byToken(token) : null
    if (access === null) {
      good.delete(tokenKey)
      if (token !== '') failures.count(address)
      throw new GatewayError('INVALID_TOKEN')
    }
    good.set(tokenKey, true)
    const isWelcome = async () => (await ports.instances.byToken(token)) !== null
    const actor = access.key?.id ?? Buffer.from(tokenKey, 'base64url').toString('hex', 0, 6)
    const actorKind = access.key === null ? 'token' : 'key'
    return {
      ...access,
      tokenKey,
      actorKind,
      actor,
      credential: { kind: actorKind, actor, token, pass: null },
      isWelcome,
    }
  }

  async function checkAdmin(token: string, address: string): Promise<Caller> {
    if (token.startsWith(PASS_PREFIX)) return await checkPass(token, 'admin', address)
    const tokenKey = hashToken(token)
    if (!good.has(tokenKey)) failures.check(address)
    const actor = isPlausible(token) ? await ports.adminTokens.identify(token) : null
    if (actor === null) {
      good.delete(tokenKey)
      if (token !== '') failures.count(address)
      throw new GatewayError('INVALID_ADMIN_TOKEN')
    }
    good.set(tokenKey, true)
    const isWelcome = async () => (await ports.adminTokens.identify(token)) !== null
    const credential: PassParent = { kind: 'admin', actor, token, pass: null }
    return { instance: null, key: null, tokenKey, actorKind: 'admin', actor, credential, isWelcome }
  }

  async function checkPass(token: string, kind: 'admin' | 'instance', address: string): Promise<Caller> {
    const tokenKey = hashToken(token)
    if (!good.has(tokenKey)) failures.check(address)
    const isCode = isCodeOfLink(token)
    const find = (isUse: boolean) =>
      isCode ? ports.passes.byCode(token, kind) : ports.passes.byToken(token, kind, isUse)
    const access = isPlausible(token) ? await find(true) : null
    if (access === null) {
      good.delete(tokenKey)
      failures.count(address)
      throw new GatewayError(kind === 'admin' ? 'INVALID_ADMIN_TOKEN' : 'INVALID_TOKEN')
    }
    good.set(tokenKey, true)
    const isWelcome = async () => (await find(false)) !== null
    return callerOfPass(access, token, tokenKey, isWelcome)
  }
}

function isCodeOfLink(token: string): boolean {
  return token.startsWith(CODE_PREFIX) || token.startsWith(PAIRING_CODE_PREFIX)
}

/** Returns the caller as whom the pass was made, so that limits of rights and the audit log hold for it too. */
function callerOfPass(
  { pass, instance, key }: PassAccess,
  token: string,
  tokenKey: string,
  isWelcome: Caller['isWelcome'],
): Caller {
  const { openedBy: actorKind, actor } = pass
  const parent = pass.isCode ? { pass: null, code: pass } : { pass }
  return {
    instance,
    key,
    tokenKey,
    actorKind,
    actor,
    credential: { kind: actorKind, actor, token, ...parent },
    isWelcome,
  }
}

/** Returns the tokens of a call. Reads the query only where the operation says so. */
export function readCredentials(ctx: ApiContext, inQuery: boolean): Credentials {
  const { token, admintoken } = ctx.req.headers
  const query = inQuery ? ctx.query : undefined
  return {
    token: text(token) || text(query?.token),
    adminToken: text(admintoken) || text(query?.admintoken),
  }
}

function text(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : ''
}

function isPlausible(token: string): boolean {
  return token.length > 0 && token.length <= 200 && /^[\x21-\x7e]+$/.test(token)
}

function hashToken(token: string): string {
  return hash('sha256', token, 'base64url')
}
