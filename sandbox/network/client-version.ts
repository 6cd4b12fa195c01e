/** Versions of the web client: which logins are taken, and what the service worker names as the present one. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { proto } from '@whiskeysockets/baileys'

export interface VersionAnswer {
  readonly status: number
  readonly body: string
}

/** A browser asks for it by itself. Others get 400, as from the network. */
const BROWSER = /^Mozilla\/5\.0 /

export class ClientVersionGate {
  /** Oldest revision that may log in. */
  minimum = 1
  /** Answer of the service worker, if it is not the usual one. */
  answer: VersionAnswer | undefined
  /** Revision that the service worker names. */
  current = 1_043_857_760
  /** Questions to the service worker that were answered. */
  asked = 0
  /** Revisions that logged in or were refused, in their order. */
  readonly seen: { readonly revision: number; readonly isTaken: boolean }[] = []

  /** Returns true if the client may log in or pair with its version. */
  takes(payload: proto.ClientPayload): boolean {
    const revision = payload.userAgent?.appVersion?.tertiary ?? 0
    const isTaken = revision >= this.minimum
    this.seen.push({ revision, isTaken })
    if (this.seen.length > 1_000) this.seen.shift()
    return isTaken
  }

  /** Serves the service worker. Returns false for another path. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== '/sw.js') return false
    const { status, body } = isBrowser(request) ? this.#present() : { status: 400, body: 'Bad Request' }
    if (status === 200) this.asked += 1
    response.writeHead(status, { 'content-type': 'application/javascript' }).end(body)
    return true
  }

  #present(): VersionAnswer {
    if (this.answer !== undefined) return this.answer
    const data = JSON.stringify({ client_revision: this.current, is_debug: false })
    return { status: 200, body: `importScripts(${JSON.stringify(data)});` }
  }
}

function isBrowser({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'none' && BROWSER.test(headers['user-agent'] ?? '')
}
