import {
  type BusinessCategory,
  type BusinessProfile,
  PROFILE_FIELDS,
  type ProfileChange,
  type ProfileField,
} from '../../../schemas/business-profile.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { ChatAddress } from '../../../schemas/jid.js'
import { bothAddresses } from '../../instance/known-chat.js'
import { orUnknown } from '../../instance/outcome.js'
import type { InstanceContext } from '../context.js'
import { operation } from '../operation.js'

const EXAMPLE: BusinessProfile = {
  tag: '1',
  description: 'Fresh bread',
  address: '',
  email: '',
  websites: [],
  categories: [],
  hours: null,
}

/** Answers with the business profile of a person, or of the account itself. Null for an account that is no business. */
export const showBusinessProfileOperation = operation('showBusinessProfile', {
  repeat: true,
  example: EXAMPLE,
  async run(context: InstanceContext, { of }: { readonly of: ChatAddress | null }): Promise<BusinessProfile | null> {
    const { business } = await context.connection()
    const address = await businessAddress(context, of)
    return await orUnknown(() => business.profile(address))
  },
})

/** Answers with the categories that a business may have. */
export const listBusinessCategoriesOperation = operation('listBusinessCategories', {
  repeat: true,
  example: [{ id: '1', localized_display_name: 'Bakery' }],
  async run(context: InstanceContext): Promise<readonly BusinessCategory[]> {
    const { business } = await context.connection()
    return await orUnknown(() => business.categories())
  },
})

export interface FieldOutcome {
  readonly field: ProfileField
  /** Null: it was changed. */
  readonly error: string | null
  /** The network's code. */
  readonly code: number | null
}

/** Changes fields of the own business profile, each by itself: one that the network refuses does not hold up the others. */
export const changeBusinessProfileOperation = operation('changeBusinessProfile', {
  repeat: true,
  example: [{ field: 'description', error: null, code: null }],
  async run(
    context: InstanceContext,
    { change }: { readonly change: ProfileChange },
  ): Promise<readonly FieldOutcome[]> {
    const { business } = await context.connection()
    const outcomes: FieldOutcome[] = []
    for (const field of PROFILE_FIELDS) {
      const value = change[field]
      if (value === undefined) continue
      try {
        await orUnknown(() => business.changeProfile(field, value))
        outcomes.push({ field, error: null, code: null })
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'CHANGE_FAILED') throw error
        outcomes.push({ field, error: error.message, code: Number(error.fields.provider_code) || null })
      }
    }
    return outcomes
  },
})

/** Returns the address of a business; of the account itself for null. */
export async function businessAddress(
  { id, reader, account }: Pick<InstanceContext, 'id' | 'reader' | 'account'>,
  of: ChatAddress | null,
): Promise<ChatAddress> {
  if (of !== null) return await bothAddresses(id, of, reader)
  if (account.own === null) throw new GatewayError('INSTANCE_NOT_CONNECTED')
  return account.own
}
