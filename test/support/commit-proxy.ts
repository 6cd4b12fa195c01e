/** A TCP proxy before PostgreSQL that cuts a connection at the COMMIT of a transaction. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Cleanup } from './cleanup.js'
import { databasePlace } from './proxy.js'

/** `before`: PostgreSQL never gets the COMMIT. `after`: it executes the transaction, and its answer is lost. */
export type CommitCut = 'before' | 'after'

export interface CommitProxy {
  readonly connectionString: string
  /**
   * Cuts the next connection that commits, of those whose `application_name` begins so. Resolves when it was cut. With `holding` only
   * after it has sent this text; with `andStays` nothing connects until `mend`.
   */
  cutNext(
    at: CommitCut,
    applicationName: string,
    options?: { readonly andStays?: boolean; readonly holding?: string },
  ): Promise<void>
  mend(): void
}

/** `CommandComplete` of a COMMIT. */
const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1').toString('latin1')

export async function startCommitProxy(t: Cleanup, connectionString: string): Promise<CommitProxy> {
  const { target, through } = databasePlace(connectionString)
  const sockets = new Set<Socket>()
  let armed: { at: CommitCut; name: string; holding: string; andStays: boolean; onCut: () => void } | undefined
  let isCut = false

  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(target)
    let name: string | undefined
    /** The prepared statement that is a COMMIT. */
    let prepared: string | undefined
    let heldText = ''
    const isArmed = (at: CommitCut) =>
      armed?.at === at && name?.startsWith(armed.name) === true && heldText === armed.holding
    const cut = (): void => {
      const { andStays = false, onCut = () => {} } = armed ?? {}
      armed = undefined
      isCut = andStays
      near.resetAndDestroy()
      far.destroy()
      onCut()
    }
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      name ??= /application_name\0([^\0]*)\0/.exec(text)?.[1] ?? ''
      prepared = /(journal_\d+)\0COMMIT\0/.exec(text)?.[1] ?? prepared
      if (armed !== undefined && text.includes(armed.holding)) heldText = armed.holding
      const isCommit = /Q.{4}COMMIT\0/s.test(text) || (prepared !== undefined && text.includes(`\0${prepared}\0`))
      if (isCommit && isArmed('before')) cut()
      else far.write(chunk)
    })
    far.on('data', (chunk: Buffer) => {
      if (isArmed('after') && chunk.toString('latin1').includes(COMMITTED)) cut()
      else near.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    connectionString: through((server.address() as AddressInfo).port),
    cutNext: (at, applicationName, { andStays = false, holding = '' } = {}) =>
      new Promise((resolve) => {
        armed = { at, name: applicationName, holding, andStays, onCut: resolve }
      }),
    mend() {
      isCut = false
    },
  }
}
