import { createHash } from 'node:crypto'
import type { InstanceId } from '../../../../schemas/ids.js'
import type { InstanceReader } from '../../../instance/instance-reader.js'
import type { InstanceJournal } from '../../../instance/ports.js'
import { decodeKey, encodeKey } from '../key-codec.js'

interface Store {
  readonly instance: InstanceId
  readonly journal: Pick<InstanceJournal, 'write'>
  readonly reader: Pick<InstanceReader, 'keys'>
}

const KIND = 'handled-change'

/** Number of ids that are kept for each instance. A newer id takes the place of an older one with the same hash. */
const PLACES = 256

/**
 * Remembers the ids of changes, which have no rows of their own. If the node crashes before the receipt of a change, the network delivers it
 * again, and it cannot be decrypted a second time.
 */
export class HandledChanges {
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  /** Called within the write of the change. If that fails, the connection ends. */
  note(id: string): void {
    const entry = { kind: KIND, id: makePlace(id), value: encodeKey({ id }) }
    this.#store.journal.write([{ type: 'keys', entries: [entry] }]).catch(() => {})
  }

  /** Returns whether the change was applied. @throws when the store cannot be read */
  async has(id: string): Promise<boolean> {
    const place = makePlace(id)
    const bytes = (await this.#store.reader.keys(this.#store.instance, KIND, [place])).get(place)
    return bytes !== undefined && (decodeKey(KIND, bytes) as { id: string }).id === id
  }
}

function makePlace(id: string): string {
  return String(createHash('sha256').update(id).digest().readUInt16BE() % PLACES)
}
