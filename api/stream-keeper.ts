/** Ends open event streams: all of them when the API closes, so that no endless call holds it up, and each one whose token has ended. */
import { PassThrough, type Readable } from 'node:stream'
import { GatewayError } from '../schemas/errors.js'
import type { EventStreams, StreamOptions } from '../schemas/ports/webhooks.js'

export interface StreamKeeper extends EventStreams {
  /** Ends all streams and refuses later ones. Their readers resume elsewhere with `Last-Event-ID`. */
  end(): void
}

/** Maximum time between two checks of the token of a stream. The dashboard signs out within 5 s of a rotation. */
const RECHECK_MS = 4_000

export function createStreamKeeper(streams: EventStreams, recheckMs = RECHECK_MS): StreamKeeper {
  const open = new Set<() => void>()
  let ended = false
  return {
    open(options) {
      if (ended) throw new GatewayError('INSTANCE_MOVING', { message: 'This node is stopping; connect again.' })
      const source = streams.open(options)
      const { stream, end } = endable(source)
      const recheck = setInterval(() => void checkReader(options, end), recheckMs * (0.9 + Math.random() / 10))
      recheck.unref()
      open.add(end)
      source.once('close', () => {
        clearInterval(recheck)
        open.delete(end)
      })
      return stream
    },
    page: (options) => streams.page(options),
    end() {
      ended = true
      for (const end of open) end()
    },
  }
}

/** Ends the stream when its token has ended. While the store is away the stream goes on, since no node knows. */
async function checkReader({ isWelcome }: StreamOptions, end: () => void): Promise<void> {
  const isGood = await isWelcome?.().catch(() => true)
  if (isGood === false) end()
}

/** Returns the stream with a function that ends it so that its reader sees a complete answer and not a broken connection. */
function endable(source: Readable): { stream: Readable; end: () => void } {
  const stream = new PassThrough()
  const end = (): void => {
    source.unpipe(stream)
    stream.end()
    source.destroy()
  }
  source.once('error', end).once('close', () => stream.end())
  stream.once('close', () => source.destroy())
  source.pipe(stream)
  return { stream, end }
}
