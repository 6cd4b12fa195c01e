/** Writes events in the forms of other gateways, at each attempt: nothing more is stored than our own event. */

import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject } from '../../lib/is-object.js'
import { createOwnerSlots } from '../../lib/owner-slots.js'
import { evolutionBodies } from '../../schemas/dialects/evolution/events.js'
import type { InstanceId } from '../../schemas/ids.js'
import type { DialectInstances } from '../../schemas/ports/dialects.js'
import type { DeliveryTarget, EventForms, FormedBody, NextDelivery } from './ports.js'

// Bound: 1,048,576, 20,000 values, an event of a message that the API sent.

type Json = Record<string, unknown>

export interface EventFormOptions {
  readonly dialects: Pick<DialectInstances, 'readFacts'>
  /** Address of the gateway, as clients know it. */
  readonly url: () => string
  /** Opens the file of a message by the id of its record. Undefined until files can be read. */
  readonly open: () => ((instance: InstanceId, record: string) => Promise<{ readonly body: Readable }>) | undefined
}

/** A larger file is only a link in its event: its base64 would hold up the main thread, and fill the memory of the node. */
const BASE64_FILE_BYTES_MAX = 5 * 2 ** 20
/** Files that are read at once, for all receivers. Their events hold them in memory. */
const FILES_AT_ONCE = 2
const FILES_WAITING = 1_000
const FILE_TIMEOUT_MS = 15_000
const ALL = ''

export function createEventForms({ dialects, url, open }: EventFormOptions): EventForms {
  const turns = createOwnerSlots({ max: FILES_AT_ONCE, waitingMax: FILES_WAITING }, () => new Error('Too many files.'))

  return {
    async bodies(target, delivery) {
      const event = JSON.parse(delivery.body) as Json
      const facts = await dialects.readFacts('evolution', delivery.instance)
      const base64 = await readFile(target, delivery, event)
      const place = {
        instanceId: delivery.instance,
        name: facts?.name ?? String(event.instanceName ?? ''),
        ...(base64 === undefined ? {} : { base64 }),
      }
      const receiver = {
        url: target.url,
        baseUrl: `${url()}/evolution`,
        apikey: facts?.token ?? null,
        events: target.formEvents ?? [],
      }
      return evolutionBodies(event, place, receiver).map(
        ({ path, body }): FormedBody => ({ path, body: JSON.stringify(body) }),
      )
    },
  }

  /** Returns the file of a message as base64. An event whose file cannot be read has its link all the same. */
  async function readFile(
    target: DeliveryTarget,
    delivery: NextDelivery,
    { message }: Json,
  ): Promise<string | undefined> {
    const read = open()
    if (target.includeBase64 !== true || delivery.kind !== 'messages' || read === undefined) return undefined
    if (!isObject(message) || typeof message.fileURL !== 'string' || message.fileURL === '') return undefined
    const { id } = message
    const late = pause(FILE_TIMEOUT_MS, undefined, { ref: false })
    const whole = turns.run(ALL, async () => await readBase64((await read(delivery.instance, String(id))).body))
    return await Promise.race([whole, late]).catch(() => undefined)
  }
}

/** Returns the base64 of a file; undefined if it is too large. */
async function readBase64(file: Readable): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BASE64_FILE_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('base64')
}
