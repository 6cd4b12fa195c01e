/** Knows the open event streams and ends them when the API closes: an endless call must not hold it up. */
import { PassThrough, type Readable } from 'node:stream'
import { GatewayError } from '../schemas/errors.js'
import type { EventStreams } from './ports.js'

export interface StreamKeeper extends EventStreams {
  /** Ends all streams; later ones are refused. Their readers resume elsewhere with `Last-Event-ID`. */
  end(): void
}

export function createStreamKeeper(streams: EventStreams): StreamKeeper {
  const open = new Set<() => void>()
  let ended = false
  return {
    open(options) {
      if (ended) throw new GatewayError('INSTANCE_MOVING', { message: 'This node is stopping; connect again.' })
      const source = streams.open(options)
      const { stream, end } = endable(source)
      open.add(end)
      source.once('close', () => open.delete(end))
      return stream
    },
    end() {
      ended = true
      for (const end of open) end()
    },
  }
}

/** The same stream, which can also be ended so that its reader sees a complete answer and not a broken connection. */
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
