/** Settings of an instance: calls, presence, and what the dialect keeps itself. */
import type { DialectFacts } from '../../../schemas/ports/dialects.js'
import { setPresence } from '../../routes/instance/privacy.js'
import { setCallSettings, updateReadingSettings } from '../../routes/instance/settings.js'
import type { DialectCall, DialectRoute, Json } from '../dialect.js'
import { asText, flag, isOn, object, text } from './fields.js'
import { groupsIgnored } from './webhooks.js'

const FLAGS = ['rejectCall', 'groupsIgnore', 'alwaysOnline', 'readMessages', 'readStatus', 'syncFullHistory'] as const

export const settingFields = {
  rejectCall: flag('Reject calls.'),
  msgCall: text('Text to callers whose call was rejected.', 1_000),
  groupsIgnore: flag('Leave messages of groups out of the webhook.'),
  alwaysOnline: flag('Show the account as online.'),
  readMessages: flag('Mark received messages as read.'),
  readStatus: flag('Mark status posts as read.'),
  syncFullHistory: flag('Ask the phone for the whole history at the next pairing.'),
}

const shared = { area: 'Settings', opens: 'instance' } as const

export const settingRoutes: readonly DialectRoute[] = [
  {
    ...shared,
    method: 'POST',
    path: '/settings/set',
    name: 'setSettings',
    summary: 'Change the settings of the instance',
    status: 201,
    operations: [setCallSettings, setPresence, updateReadingSettings],
    differs: '`groupsIgnore` leaves messages of groups out of the webhook; they are stored all the same.',
    body: object(settingFields, FLAGS),
    async handle(call) {
      const settings = await changeSettings(call, call.body)
      return { settings: { instanceName: call.name, settings } }
    },
  },
  {
    ...shared,
    method: 'GET',
    path: '/settings/find',
    name: 'findSettings',
    summary: 'Show the settings of the instance',
    status: 200,
    operations: [],
    async handle({ facts }) {
      return evolutionSettings(facts)
    },
  },
]

/** Returns the settings as they were set here. */
export function evolutionSettings(facts: DialectFacts | null): Json {
  const settings: Json = facts?.settings ?? {}
  const flags = FLAGS.map((name) => [name, settings[name] === true] as const)
  return { ...Object.fromEntries(flags), msgCall: asText(settings.msgCall), wavoipToken: '' }
}

/** Carries out the settings that a body has, and keeps them. Settings that it leaves out stay. */
export async function changeSettings(call: DialectCall, body: Json): Promise<Json> {
  const { instance, facts } = call
  if (instance === null) throw new Error('Settings have no instance.')
  const before = evolutionSettings(facts)
  const given = FLAGS.filter((name) => body[name] !== undefined).map((name) => [name, isOn(body[name])] as const)
  const changed: Json = {
    ...Object.fromEntries(given),
    ...(body.msgCall === undefined ? {} : { msgCall: asText(body.msgCall) }),
  }
  const settings = { ...before, ...changed }
  const has = (...names: readonly string[]) => names.some((name) => changed[name] !== undefined)
  if (has('rejectCall', 'msgCall')) {
    const rule = { reject: settings.rejectCall, text: settings.msgCall }
    await call.ask(setCallSettings, { body: { people: rule, groups: rule } })
  }
  // Other values leave the presence as it is: it may have been chosen by a call of its own.
  if (settings.alwaysOnline !== before.alwaysOnline)
    await call.ask(setPresence, { body: { presence: settings.alwaysOnline === true ? 'available' : 'unavailable' } })
  if (has('readMessages', 'readStatus', 'syncFullHistory')) {
    const { readMessages, readStatus, syncFullHistory } = settings
    await call.ask(updateReadingSettings, {
      body: { readMessages, readStatus, fullHistory: syncFullHistory },
    })
  }
  if (settings.groupsIgnore !== before.groupsIgnore) await groupsIgnored(call, settings.groupsIgnore === true)
  if (Object.keys(changed).length > 0) await call.context.ports.dialects.change('evolution', instance, changed)
  return settings
}
