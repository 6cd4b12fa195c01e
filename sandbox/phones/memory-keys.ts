/** A Signal key store in memory, for phones. A phone does one Signal operation at a time, so transactions are plain calls. */
import type { SignalDataSet, SignalDataTypeMap, SignalKeyStoreWithTransaction } from '@whiskeysockets/baileys'

export class MemoryKeys implements SignalKeyStoreWithTransaction {
  readonly #values = new Map<string, unknown>()

  get<T extends keyof SignalDataTypeMap>(type: T, ids: string[]): Record<string, SignalDataTypeMap[T]> {
    const found: Record<string, SignalDataTypeMap[T]> = {}
    for (const id of ids) {
      const value = this.#values.get(`${type}.${id}`)
      if (value !== undefined) found[id] = value as SignalDataTypeMap[T]
    }
    return found
  }

  set(data: SignalDataSet): void {
    for (const [type, entries] of Object.entries(data)) {
      for (const [id, value] of Object.entries(entries ?? {})) {
        if (value === null || value === undefined) this.#values.delete(`${type}.${id}`)
        else this.#values.set(`${type}.${id}`, value)
      }
    }
  }

  /** Loses all values of a type. */
  forget(type: keyof SignalDataTypeMap): void {
    for (const key of [...this.#values.keys()]) if (key.startsWith(`${type}.`)) this.#values.delete(key)
  }

  isInTransaction(): boolean {
    return false
  }

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}
