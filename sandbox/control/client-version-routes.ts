/** `/client-version`: which versions of the web client the network takes, and what its service worker answers. */
import type { Network } from '../network/network.js'
import { PhoneError } from '../phones/phone-error.js'
import { optionalNumber, optionalText } from './fields.js'
import type { Route } from './server.js'

export function clientVersionRoutes({ clientVersion }: Network): Route[] {
  const shown = () => {
    const { minimum, current, answer, asked, seen } = clientVersion
    return { minimum, current, answer: answer ?? null, asked, seen }
  }
  return [
    { method: 'GET', path: '/client-version', handle: shown },
    {
      method: 'POST',
      path: '/client-version',
      handle({ body }) {
        const minimum = optionalNumber(body, 'minimum') ?? clientVersion.minimum
        const current = optionalNumber(body, 'current') ?? clientVersion.current
        if (minimum < 0 || current < 0) throw new PhoneError(400, 'The fields minimum and current are revisions.')
        clientVersion.minimum = minimum
        clientVersion.current = current
        const [status, text] = [optionalNumber(body, 'status'), optionalText(body, 'body')]
        clientVersion.answer =
          status === undefined && text === undefined ? undefined : { status: status ?? 200, body: text ?? '' }
        return shown()
      },
    },
  ]
}
