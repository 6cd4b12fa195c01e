import { GatewayError } from '../../schemas/errors.js'
import type { InstanceId, Jid } from '../../schemas/ids.js'
import { chatIdOf, parseAddress } from '../../schemas/jid.js'
import { bytesOf, phoneQuickReplyLimit, refuseBeyond } from '../../schemas/record-limits.js'
import type { Connection, SharedChange } from '../network/port.js'
import { asked } from './asked.js'
import type {
  AskedLabels,
  AskedSetting,
  DeleteChatCommand,
  EditLabelCommand,
  EditQuickReplyCommand,
  ReplyOf,
} from './commands.js'
import { bothAddresses, knownChat } from './known-chat.js'
import type { InstanceJournal, InstanceReader, QuickReplyFields } from './ports.js'
import { changesOf } from './recorder.js'

export interface ChatSettingsOptions {
  readonly instance: InstanceId
  readonly journal: InstanceJournal
  readonly reader: InstanceReader
  /** The open connection; waits for one while the instance connects. @throws GatewayError INSTANCE_NOT_CONNECTED, INSTANCE_MOVING */
  readonly connection: () => Promise<Connection>
}

const HOUR_MS = 3_600_000

/** Settings of chats and labels that all devices of the account share. Each is stored when the network has taken it. */
export class ChatSettings {
  readonly #options: ChatSettingsOptions
  #newestQuickReply = 0
  #quickReplySaved: Promise<unknown> = Promise.resolve()

  constructor(options: ChatSettingsOptions) {
    this.#options = options
  }

  async set(number: string, setting: AskedSetting): Promise<null> {
    const { instance, journal, reader, connection } = this.#options
    const network = await connection()
    const { address: chat, record } = await knownChat(instance, number, reader)
    switch (setting.kind) {
      case 'archive': {
        const { isSet } = setting
        await asked(network.change({ kind: 'archive', chat, isSet, last: await reader.lastMessage(instance, chat) }))
        await journal.write([{ type: 'chat', chat, set: { wa_archived: isSet }, announce: true }])
        // As phones do (`BuildArchive` of whatsmeow).
        if (isSet && record.wa_isPinned) await this.set(number, { kind: 'pin', isSet: false })
        return null
      }
      case 'pin':
        await asked(network.change({ kind: 'pin', chat, isSet: setting.isSet }))
        await journal.write([{ type: 'chat', chat, set: { wa_isPinned: setting.isSet }, announce: true }])
        return null
      case 'mute': {
        const { hours } = setting
        const wa_muteEndTime = hours > 0 ? Date.now() + hours * HOUR_MS : hours
        await asked(network.change({ kind: 'mute', chat, endTime: wa_muteEndTime }))
        await journal.write([{ type: 'chat', chat, set: { wa_muteEndTime }, announce: true }])
        return null
      }
      default:
        return setting satisfies never
    }
  }

  /** What was changed before one of the changes failed stays, here as at the network. */
  async label(number: string, edit: AskedLabels): Promise<ReplyOf['labelChat']> {
    const { instance, journal, reader, connection } = this.#options
    const network = await connection()
    const { address: chat, record } = await knownChat(instance, number, reader)
    const has = JSON.parse(String(record.wa_label)) as string[]
    const { added, removed } = labelChanges(has, edit)
    const known = (await reader.labels(instance)).map(({ labelid }) => labelid)
    const named = edit.kind === 'replace' ? edit.labelids : [edit.labelid]
    const unknown = named.find((labelid) => !known.includes(labelid) && !has.includes(labelid))
    if (unknown !== undefined)
      throw new GatewayError('LABEL_NOT_FOUND', { details: [{ field: 'label', why: `${unknown} is no label` }] })
    const changes = [
      ...removed.map((labelid) => ({ labelid, isSet: false })),
      ...added.map((labelid) => ({ labelid, isSet: true })),
    ]
    for (const { labelid, isSet } of changes) {
      await asked(network.change({ kind: 'chatLabel', chat, labelid, isSet }))
      await journal.write([{ type: 'chat.label', chat, labelid, isSet }])
    }
    return { editions: changes.map(({ labelid, isSet }) => `Label ${labelid} ${isSet ? 'added' : 'removed'}`) }
  }

  async editLabel({ labelid, name, color, isDeleted }: EditLabelCommand): Promise<ReplyOf['editLabel']> {
    const { instance, journal, reader, connection } = this.#options
    const network = await connection()
    const all = await reader.labels(instance)
    const former = all.find((one) => one.labelid === labelid)
    if (former === undefined && isDeleted) throw new GatewayError('LABEL_NOT_FOUND')
    const label = {
      labelid: labelid ?? nextId(all.map((one) => one.labelid)),
      name: name ?? former?.name ?? '',
      color: color ?? former?.color ?? 0,
      isDeleted,
    }
    if (label.name === '')
      throw new GatewayError('INVALID_REQUEST', {
        details: [{ field: 'name', why: 'is missing, and there is no such label yet' }],
      })
    await asked(network.change({ kind: 'label', label } satisfies SharedChange))
    await journal.write([{ type: 'label', label }])
    return { labelid: label.labelid, isNew: former === undefined }
  }

  /** @throws GatewayError RECORD_LIMIT */
  async editQuickReply({ id, shortcut, text, isDeleted }: EditQuickReplyCommand): Promise<null> {
    const { connection } = this.#options
    // All wait for the connection at once, and not each for the one before.
    await connection()
    if (id !== null && isDeleted) return await this.#changeQuickReply({ id, shortcut, text, isDeleted })
    // One after another, so that many at once do not make too many.
    const saved = this.#quickReplySaved.then(() => this.#saveQuickReply(id, shortcut, text))
    this.#quickReplySaved = saved.catch(() => {})
    return await saved
  }

  async #saveQuickReply(id: string | null, shortcut: string, text: string): Promise<null> {
    const { instance, reader } = this.#options
    const all = await reader.quickReplies(instance)
    const bytes = all.reduce((sum, one) => sum + one.bytes, 0)
    const formerBytes = all.find((one) => one.id === id)?.bytes ?? null
    refuseBeyond(phoneQuickReplyLimit, { count: all.length, bytes, formerBytes }, bytesOf([shortcut, text]), 'text')
    const known = id ?? this.#newQuickReplyId(all.map((one) => one.id))
    return await this.#changeQuickReply({ id: known, shortcut, text, isDeleted: false })
  }

  async #changeQuickReply(quickReply: QuickReplyFields): Promise<null> {
    const { journal, connection } = this.#options
    await asked((await connection()).change({ kind: 'quickReply', quickReply }))
    await journal.write([{ type: 'quickReply', quickReply }])
    return null
  }

  /** The second of now, or a later one that is free (`chatModificationToAppPatch` of Baileys names them so). */
  #newQuickReplyId(taken: readonly string[]): string {
    const seconds = taken.map(Number).filter(Number.isSafeInteger)
    this.#newestQuickReply = Math.max(
      Math.floor(Date.now() / 1000),
      this.#newestQuickReply + 1,
      ...seconds.map((one) => one + 1),
    )
    return String(this.#newestQuickReply)
  }

  /** The devices first: what they did not delete can be asked for again. @throws GatewayError when nothing was done */
  async delete({ number, stored, shown }: DeleteChatCommand): Promise<ReplyOf['deleteChat']> {
    const { instance, journal, reader, connection } = this.#options
    const network = shown === null ? null : await connection()
    const { address: chat } = await knownChat(instance, number, reader)
    const actions: string[] = []
    const errors: string[] = []
    if (network !== null) {
      const kind = shown === 'delete' && chat.group === undefined ? 'delete' : 'clear'
      const last = await reader.lastMessage(instance, chat)
      try {
        await asked(network.change({ kind, chat, last }))
        actions.push(kind === 'delete' ? 'Chat deleted on the devices' : 'Chat cleared on the devices')
      } catch (error) {
        if (stored === null || !(error instanceof GatewayError)) throw error
        errors.push(`The devices: ${error.message}`)
      }
    }
    if (stored === null) return { actions, errors }
    const beforeMs = Date.now()
    const isDropped = stored === 'chat'
    do await journal.write([{ type: 'chat.remove', chat, beforeMs, isDropped }])
    while (await reader.hasMessages(instance, chat, beforeMs))
    if (!isDropped)
      await journal.write([{ type: 'chat', chat, set: { wa_unreadCount: 0 }, announce: true, known: true }])
    const isLeft = isDropped && (await reader.chat(instance, chat)) !== null
    actions.push('Messages deleted from the store')
    if (isLeft) errors.push('The store: the chat has messages that came since, or wait to be sent')
    else if (isDropped) actions.push('Chat deleted from the store')
    return { actions, errors }
  }

  async setProfileName(name: string): Promise<ReplyOf['setProfileName']> {
    const { journal, connection } = this.#options
    await asked((await connection()).change({ kind: 'profileName', name }))
    await journal.write([{ type: 'instance', set: { profileName: name } }])
    return { updatedAtMs: Date.now() }
  }

  async block(number: string, isBlocked: boolean): Promise<readonly Jid[]> {
    const { instance, journal, reader, connection } = this.#options
    const given = parseAddress(number)
    if (given.group !== undefined)
      throw new GatewayError('INVALID_NUMBER', { message: 'Invalid number: it is not a person.' })
    const network = await connection()
    const known = await bothAddresses(instance, given, reader)
    const person = known.pn === undefined || known.lid === undefined ? await network.lookUp(known) : known
    if (person === null) throw new GatewayError('NOT_ON_NETWORK')
    await asked(network.block(person, isBlocked))
    await journal.write(changesOf({ type: 'blocked', person, isBlocked }))
    return await this.blocklist()
  }

  async blocklist(): Promise<readonly Jid[]> {
    const { instance, reader, connection } = this.#options
    const blocked = await (await connection()).blocklist()
    const both = await Promise.all(blocked.map((person) => bothAddresses(instance, person, reader)))
    return both.map(chatIdOf)
  }
}

function labelChanges(has: readonly string[], edit: AskedLabels) {
  switch (edit.kind) {
    case 'replace':
      return {
        added: [...new Set(edit.labelids)].filter((id) => !has.includes(id)),
        removed: has.filter((id) => !edit.labelids.includes(id)),
      }
    case 'add':
      return { added: has.includes(edit.labelid) ? [] : [edit.labelid], removed: [] }
    case 'remove':
      return { added: [], removed: has.includes(edit.labelid) ? [edit.labelid] : [] }
    default:
      return edit satisfies never
  }
}

/** Phones number their labels. */
function nextId(ids: readonly string[]): string {
  return String(Math.max(0, ...ids.map(Number).filter(Number.isSafeInteger)) + 1)
}
