import { request } from 'undici'
import type { MediaHosts } from '../../../actors/network/baileys/media/hosts.js'
import { connectionFailure } from '../connection-failure.js'
import { type Check, ok, skipped } from '../finding.js'

export interface MediaHostCheckOptions {
  readonly hosts: MediaHosts
  /** False on a network that names its media hosts to connected accounts only. */
  readonly isKnown: boolean
  readonly timeoutMs: number
}

/** Checks the host to which files go and from which they come. */
export function mediaHostCheck({ hosts, isKnown, timeoutMs }: MediaHostCheckOptions): Check {
  return {
    name: 'Media host',
    async run() {
      if (!isKnown) return [skipped('This network names its media hosts to connected accounts only.')]
      const url = hosts.admit('https://mmg.whatsapp.net/')
      try {
        const { statusCode, body } = await request(url, {
          method: 'HEAD',
          dispatcher: hosts.dispatcher,
          signal: AbortSignal.timeout(timeoutMs),
        })
        await body.dump()
        // Any status: without the path of a file there is nothing to find.
        return [ok(`${url.host} answers (status ${statusCode}).`)]
      } catch (error) {
        return [connectionFailure(error, url.host, 'WA_MEDIA_HOST and WA_MEDIA_CA_FILE')]
      } finally {
        await hosts.dispatcher.close().catch(() => {})
      }
    },
  }
}
