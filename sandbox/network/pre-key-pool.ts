/** The one-time pre-keys of one device, packed: a device uploads 812, and thousands of devices share one process. */
const RECORD_BYTES = 3 + 32

export class PreKeyPool {
  #records: Buffer = Buffer.alloc(0)

  get size(): number {
    return this.#records.byteLength / RECORD_BYTES
  }

  add(keys: readonly { id: Uint8Array; publicKey: Uint8Array }[]): void {
    const records = Buffer.alloc(this.#records.byteLength + keys.length * RECORD_BYTES)
    records.set(this.#records)
    let offset = this.#records.byteLength
    for (const { id, publicKey } of keys) {
      records.set(id.subarray(0, 3), offset)
      records.set(publicKey.subarray(0, 32), offset + 3)
      offset += RECORD_BYTES
    }
    this.#records = records
  }

  /** Hands out the oldest key, which is then gone. */
  take(): { id: number; publicKey: Buffer } | undefined {
    if (this.#records.byteLength === 0) return undefined
    const record = this.#records.subarray(0, RECORD_BYTES)
    this.#records = this.#records.subarray(RECORD_BYTES)
    return { id: record.readUIntBE(0, 3), publicKey: Buffer.from(record.subarray(3)) }
  }

  clear(): void {
    this.#records = Buffer.alloc(0)
  }
}
