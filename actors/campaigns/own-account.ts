import type { CampaignRow } from '../../schemas/campaign.js'
import { GatewayError } from '../../schemas/errors.js'
import type { Account, SendsContext } from '../instance/sends/context.js'

// Bound: 100, an address.

/** Returns true if the instance is paired with the account of that address. */
export function isOwn({ own }: Pick<Account, 'own'>, jid: string): boolean {
  return own !== null && [own.pn, own.lid].some((mine) => mine === jid)
}

/** @throws GatewayError CAMPAIGN_OTHER_ACCOUNT, INSTANCE_NOT_CONNECTED */
export async function assertSameAccount(
  { reader, id: instance, account }: Pick<SendsContext, 'reader' | 'id' | 'account'>,
  { id }: Pick<CampaignRow, 'id'>,
): Promise<void> {
  const ownAccount = await reader.accountOfCampaign(instance, id)
  const own = account.own ?? (await reader.owner(instance))
  if (own === null) throw new GatewayError('INSTANCE_NOT_CONNECTED')
  if (ownAccount === '' || isOwn({ own }, ownAccount)) return
  throw new GatewayError('CAMPAIGN_OTHER_ACCOUNT', {
    message: `The campaign was begun by ${ownAccount.split('@')[0]}: pair the instance with that account to continue it.`,
  })
}
