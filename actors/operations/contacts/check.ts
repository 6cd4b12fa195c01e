import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import { type AskedUsername, parseUsername } from '../../../schemas/username.js'
import { bothAddresses } from '../../instance/known-chat.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'
import { lookUpUsername } from './find-username.js'

interface CheckNumbersFields {
  readonly numbers: readonly string[]
  /** ISO code of the country whose national numbers are taken. */
  readonly country?: string
}

export interface CheckedNumber {
  /** As the caller wrote it. */
  readonly query: string
  /** Null when the number has no account, or cannot be a number. */
  readonly address: ChatAddress | null
  /** The name of a group that has a chat here; else empty. */
  readonly groupName: string
  /** Why it cannot be a number; empty when it can. */
  readonly error: string
}

/** Finds which of these numbers have an account. A LID or a group is not looked up at the network: the store answers. A username is. */
export const checkNumbers = operation('checkNumbers', {
  repeat: true,
  example: ({ numbers }: CheckNumbersFields) =>
    numbers.map((query) => ({ query, address: null, groupName: '', error: '' })),
  async run(
    context: InstanceContext,
    { numbers, country = '' }: CheckNumbersFields,
  ): Promise<readonly CheckedNumber[]> {
    const all = numbers.map((query) => ({ query, ...parsed(query, country) }))
    const unknown = all.flatMap(({ address }) => address?.pn ?? [])
    const connection = await context.connection()
    const found = await connection.contacts.lookUpAll([...new Set(unknown)])
    const answers: CheckedNumber[] = []
    for (const { query, address, error, username } of all) {
      if (username !== null) {
        answers.push({ query, groupName: '', ...(await namedAddress(context, username)) })
        continue
      }
      const pn = address?.pn
      if (pn !== undefined) answers.push({ query, address: found.get(pn) ?? null, groupName: '', error })
      else answers.push({ query, ...(await storedAddress(context, address)), error })
    }
    return answers
  },
})

async function storedAddress(
  { id, reader }: InstanceContext,
  address: ChatAddress | null,
): Promise<Pick<CheckedNumber, 'address' | 'groupName'>> {
  if (address === null) return { address, groupName: '' }
  const both = await bothAddresses(id, address, reader)
  const chat = await reader.chat(id, both)
  if (chat === null) return { address: both.pn === undefined ? null : both, groupName: '' }
  return { address: both, groupName: both.group === undefined ? '' : String(chat.name) }
}

/** Returns the address of a username's account. */
async function namedAddress(
  context: InstanceContext,
  username: AskedUsername,
): Promise<Pick<CheckedNumber, 'address' | 'error'>> {
  const found = await lookUpUsername(context, username)
  if (found.kind === 'found')
    return { address: await bothAddresses(context.id, { lid: found.lid }, context.reader), error: '' }
  return { address: null, error: found.kind === 'nobody' ? '' : 'The username has a key, and it is missing or wrong.' }
}

function parsed(
  query: string,
  country: string,
): { address: ChatAddress | null; error: string; username: AskedUsername | null } {
  try {
    const username = parseUsername(query, 'numbers')
    return { address: username === null ? parseAddress(query, 'number', country) : null, error: '', username }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { address: null, error: error.message, username: null }
  }
}
