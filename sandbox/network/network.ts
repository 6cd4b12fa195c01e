/** The state that all parts of the simulated network share, and how a stanza reaches a device. */
import { Faults } from '../faults.js'
import { TrafficLog } from '../log.js'
import { MediaHost } from '../media/host.js'
import { type Node, node } from '../wire/nodes.js'
import { Acknowledgements } from './acknowledgements.js'
import type { Call } from './calls.js'
import type { Channel } from './channels.js'
import { ClientVersionGate } from './client-version.js'
import type { Group } from './groups-model.js'
import { LateReceipts } from './late-receipts.js'
import { type Device, Directory, type Session } from './model.js'
import type { Registration } from './registration.js'
import type { StatusStanza } from './status.js'

export class Network {
  readonly directory = new Directory()
  readonly log = new TrafficLog()
  readonly faults = new Faults()
  readonly clientVersion = new ClientVersionGate()
  readonly media = new MediaHost(this.faults)
  readonly sessions = new Set<Session>()
  readonly acknowledgements = new Acknowledgements(this)
  readonly lateReceipts = new LateReceipts()
  /** Open registration connections (pairing). */
  readonly registrations = new Set<Registration>()
  readonly groups = new Map<string, Group>()
  readonly channels = new Map<string, Channel>()
  /** Seconds for which the network keeps a request for live updates, unless the usual ones. */
  liveSeconds: number | undefined
  /** Number of requests for live updates so far. */
  liveRequests = 0
  /** Number of products that were added so far. */
  nextProduct = 0
  /** Stanzas with status posts of clients, for tests. */
  readonly statusStanzas: StatusStanza[] = []
  /** Calls that ring or are held, by their ids. */
  readonly calls = new Map<string, Call>()
  /** True: parts of the history and changes of app state lie on the media host, as large ones do. */
  blobsOnMediaHost = false
  readonly #held = new Map<Device, Node>()
  #nextId = 1

  /** A fresh id for a stanza that the server itself sends. */
  makeId(): string {
    return (this.#nextId++).toString()
  }

  /** Sends a stanza that the device must confirm; until then it is kept, also across connections. */
  deliver(device: Device, stanza: Node): void {
    device.pending.add(stanza)
    const { session } = device
    if (!session?.active || device.pending.isBlocked) return
    if (stanza.tag !== 'message') {
      this.#send(session, stanza)
      if (stanza.tag === 'call' && this.faults.duplicates(device)) this.#send(session, stanza)
      return
    }
    const held = this.#held.get(device)
    if (held) {
      this.#held.delete(device)
      this.#send(session, stanza)
      this.#send(session, held)
      return
    }
    if (this.faults.reorders(device)) {
      this.#held.set(device, stanza)
      return
    }
    this.#send(session, stanza)
    if (this.faults.duplicates(device)) this.#send(session, stanza)
  }

  /** The device has confirmed a stanza. What was withheld behind it is delivered now. */
  confirm(device: Device, stanza: Node): void {
    const { pending, session } = device
    const wasBlocked = pending.isBlocked
    pending.confirm(stanza)
    if (!wasBlocked || pending.isBlocked || !session?.active) return
    for (const next of pending.all()) this.#send(session, next, true)
  }

  #send(session: Session, stanza: Node, isAgain = false): void {
    session.send(isAgain ? { ...stanza, attrs: { ...stanza.attrs, offline: '1' } } : stanza)
    this.acknowledgements.sent(session, stanza, isAgain)
  }

  /** Sends a stanza that nobody misses when the device is away: typing, presence. */
  tell(device: Device, stanza: Node): void {
    if (device.session?.active) device.session.send(stanza)
  }

  /** The device asked for its stanzas: first what it has not confirmed, then live. */
  activate(session: Session): void {
    const { device } = session
    if (device.session !== session || session.active) return
    const first = !device.loggedInBefore
    device.loggedInBefore = true
    this.#held.delete(device)
    const waiting = device.pending.all()
    for (const stanza of waiting) this.#send(session, stanza, true)
    session.send(node('ib', { from: '@s.whatsapp.net' }, [node('offline', { count: String(waiting.length) })]))
    session.active = true
    device.account.primary?.companionActive(device, first)
  }

  /** Ends a session with a last stanza, and notes why. */
  endSession(session: Session, reason: string, last?: Node): void {
    this.log.explainEnd(session.login, reason)
    session.end(last)
  }
}
