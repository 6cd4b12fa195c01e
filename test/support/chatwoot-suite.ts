/** A gateway with an account that is connected with an inbox of the fake support platform. */
import assert from 'node:assert/strict'
import { type ChatwootOptions, type FakeChatwoot, type Message, startChatwoot } from '../../sandbox/chatwoot/index.js'
import { eventually } from './eventually.js'
import { gatewaySuite, type Suite, type SuiteOptions } from './gateway-suite.js'
import { lastingPort } from './port.js'

type Json = Record<string, unknown>

export interface ChatwootSuite extends Suite {
  readonly platform: () => FakeChatwoot
  /** Sets the settings; `more` replaces fields of them. */
  configure(more?: Json): Promise<{ status: number; body: Json }>
  /** Waits for a message of the platform with this text. */
  shown(content: string, isSo?: (message: Message) => boolean): Promise<Message>
  /** Lets a phone write, and waits until the platform shows it. */
  wrote(from: string, text: string): Promise<Message & { readonly waId: string }>
  /** Waits until a phone shows a text, and returns how often it has it. */
  arrived(phone: string, text: string): Promise<Json>
}

export function chatwootSuite(options: SuiteOptions & { readonly platform?: ChatwootOptions }): ChatwootSuite {
  let platform: FakeChatwoot | undefined
  const there = (): FakeChatwoot => {
    assert.ok(platform, 'The platform has not started.')
    return platform
  }
  const suite = gatewaySuite({
    ...options,
    prepare: async () => {
      // Tests end it and start it again at the same address.
      platform = await startChatwoot({ port: await lastingPort(), ...options.platform })
      suite.cleanup.after(() => there().close())
      await options.prepare?.()
    },
    complete: async () => {
      const answer = await configure()
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      await options.complete?.()
    },
  })
  const configure: ChatwootSuite['configure'] = (more = {}) =>
    suite.account.call<Json>('PUT', '/chatwoot/config', {
      enabled: true,
      url: there().url,
      access_token: there().tokens.administrator,
      account_id: there().account.id,
      inbox_id: there().inbox.id,
      ...more,
    })
  const shown: ChatwootSuite['shown'] = async (content, isSo = () => true) => {
    const look = () =>
      there()
        .messages()
        .find((one) => one.content === content && isSo(one))
    return (await eventually(look)) as Message
  }
  return {
    ...suite,
    platform: there,
    configure,
    shown,
    async wrote(from, text) {
      const waId = await suite.world.write(from, suite.account.number, text)
      const message = await shown(text)
      assert.equal(message.sourceId, `WAID:${waId}`)
      return Object.assign(Object.create(message) as Message, { waId })
    },
    async arrived(phone, text) {
      const look = async () =>
        (await suite.world.network<Json[]>('GET', `/phones/${phone}/messages?text=${encodeURIComponent(text)}`))[0]
      return (await eventually(look)) as Json
    },
  }
}
