import type { MessageUpdateChange } from '../../../actors/instance/ports.js'
import type { InstanceId } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { isNote } from '../../../schemas/message-note.js'
import type { NewMessage } from '../../../schemas/stored-fields.js'
import type { InstanceFacts, JournalChange } from './batch.js'
import { type AliasCache, ChatResolver } from './chat-resolver.js'
import { ContactChanges } from './contact-changes.js'
import { DeliveryChanges } from './delivery-outcomes.js'
import { GroupReceipts } from './group-receipts.js'
import { InstanceChanges } from './instance-fields.js'
import { KnownPeople } from './known-people.js'
import { LabelChanges } from './label-changes.js'
import { listAddresses, MessageUpdates } from './message-updates.js'
import type { RowKindType } from './row-kinds.js'
import { SecretChanges } from './secrets.js'
import { UniqueEvents } from './unique-events.js'

/** Times of the last written activity of instances, in milliseconds. */
export interface ActivityTimes {
  get(id: string): number | undefined
  set(id: string, timeMs: number): unknown
}

/** Kinds of events that name people with their usernames. Others name chats, whose records have them. */
const WITH_USERNAMES: ReadonlySet<string> = new Set(['presence', 'blocks', 'groups', 'call'])

/** The changes of a batch, sorted by table. Each part sends its own statements. */
export class BatchChanges {
  readonly chats: ChatResolver
  readonly secrets = new SecretChanges()
  readonly instances = new InstanceChanges()
  readonly updates = new MessageUpdates()
  // Few batches hold these kinds: each is made by its first change.
  contacts: ContactChanges | undefined
  people: KnownPeople | undefined
  labels: LabelChanges | undefined
  groupReceipts: GroupReceipts | undefined
  deliveries: DeliveryChanges | undefined
  toldOnce: UniqueEvents | undefined
  readonly #facts: ReadonlyMap<string, InstanceFacts>
  readonly #activity: ActivityTimes
  readonly #now: Date

  constructor(aliases: AliasCache, facts: ReadonlyMap<string, InstanceFacts>, activity: ActivityTimes, now: Date) {
    this.chats = new ChatResolver(aliases, facts)
    this.#facts = facts
    this.#activity = activity
    this.#now = now
  }

  add(instance: InstanceId, change: JournalChange): void {
    const { chats } = this
    switch (change.type) {
      case 'credentials':
      case 'keys':
        this.secrets.add(instance, change)
        break
      case 'instance': {
        const known = this.#facts.get(instance)
        if (known !== undefined) this.instances.add(known, change.set)
        break
      }
      case 'chat':
        chats.want(instance, change.chat, change.known !== true)
        break
      case 'chat.remove':
        chats.want(instance, change.chat, false)
        break
      case 'chat.label':
        chats.want(instance, change.chat, change.isSet)
        break
      case 'label':
        this.labels ??= new LabelChanges()
        this.labels.add(instance, change.label)
        break
      // Their modules read them from the writes.
      case 'campaign.reply':
      case 'agent.turn':
      case 'agent.told':
      case 'channel.post':
      case 'channel.counts':
        break
      case 'optOut':
        this.#people().want(instance, change.chat)
        break
      case 'agent.incoming':
      case 'agent.halt':
      case 'agent.pause':
        chats.want(instance, change.chat, false)
        break
      case 'blocked':
        for (const address of change.people) chats.want(instance, address, false)
        break
      case 'message':
        chats.want(instance, change.message.chat, true)
        this.#wantPeople(instance, change)
        if (!change.history) this.instances.addActivity(instance, this.#now, this.#activity)
        break
      case 'message.update':
        // Each address by itself: an update does not decide that they are one person.
        for (const address of listAddresses(change.chat)) chats.want(instance, address, false)
        if (change.member === undefined) this.updates.add(instance, change)
        else this.#addReceipt(instance, change)
        this.#wantNamed(instance, change.announce?.people ?? [])
        break
      case 'contact':
        chats.want(instance, change.contact.address, false)
        this.contacts ??= new ContactChanges()
        this.contacts.add(instance, change.contact, change.history)
        break
      case 'mapping':
        chats.map(instance, change.lid, change.pn)
        break
      case 'lead':
      case 'lead.source':
        chats.want(instance, change.chat, false)
        break
      case 'event':
        if (change.chat !== undefined) chats.want(instance, change.chat, false)
        for (const person of change.people ?? []) this.#people().want(instance, person, WITH_USERNAMES.has(change.kind))
        if (change.once === undefined) break
        this.toldOnce ??= new UniqueEvents()
        this.toldOnce.add(instance, change)
        break
      case 'deliveries':
        this.deliveries ??= new DeliveryChanges()
        this.deliveries.add(instance, change.outcomes)
        break
      default:
        // Kinds that stand alone.
        change.type satisfies RowKindType
    }
  }

  #people(): KnownPeople {
    this.people ??= new KnownPeople((instance, contact) => this.contacts?.changedRow(instance, contact))
    return this.people
  }

  #wantPeople(instance: InstanceId, { message, announce, update }: Extract<JournalChange, { type: 'message' }>): void {
    if (!message.fromMe) this.#people().wantSender(instance, message, announce && !isInPair(message))
    for (const person of update?.people ?? []) this.#people().want(instance, person, true)
  }

  #addReceipt(instance: InstanceId, change: MessageUpdateChange): void {
    this.groupReceipts ??= new GroupReceipts()
    this.groupReceipts.add(instance, change)
  }

  /** Notes the people of an update. In a chat of two, the row of the chat has the username. */
  #wantNamed(instance: InstanceId, people: readonly ChatAddress[]): void {
    const isInGroup = people.some(({ group }) => group !== undefined)
    for (const person of people) this.#people().want(instance, person, isInGroup)
  }
}

/** Returns whether the chat of a message is its sender, so that its row has the username. The event of a note has no such row. */
function isInPair(message: NewMessage): boolean {
  return message.chat.group === undefined && !isNote(message)
}
