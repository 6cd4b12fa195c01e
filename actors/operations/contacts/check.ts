import { GatewayError } from '../../../schemas/errors.js'
import { type ChatAddress, parseAddress } from '../../../schemas/jid.js'
import type { InstanceContext } from '../context.js'
import { bothAddresses } from '../known-chat.js'
import { operation } from '../operation.js'

interface CheckNumbersFields {
  readonly numbers: readonly string[]
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

/** Finds which of these numbers have an account. A LID or a group is not looked up at the network: the store answers. */
export const checkNumbers = operation('checkNumbers', {
  repeat: true,
  example: ({ numbers }: CheckNumbersFields) =>
    numbers.map((query) => ({ query, address: null, groupName: '', error: '' })),
  async run(context: InstanceContext, { numbers }: CheckNumbersFields): Promise<readonly CheckedNumber[]> {
    const all = numbers.map((query) => ({ query, ...parsed(query) }))
    const unknown = all.flatMap(({ address }) => address?.pn ?? [])
    const connection = await context.connection()
    const found = await connection.contacts.lookUpAll([...new Set(unknown)])
    const answers: CheckedNumber[] = []
    for (const { query, address, error } of all) {
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

function parsed(query: string): { address: ChatAddress | null; error: string } {
  try {
    return { address: parseAddress(query), error: '' }
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    return { address: null, error: error.message }
  }
}
