/** The rights of this account in a group, and the network's refusals as errors for callers. */
import { type ErrorCode, GatewayError } from '../../../schemas/errors.js'
import { type GroupInfo, type GroupMember, memberOf } from '../../../schemas/group-info.js'
import type { InstanceContext } from '../context.js'

/** @throws GatewayError GROUP_NOT_FOUND when this account is not a member */
export function ownMember({ account }: InstanceContext, group: GroupInfo): GroupMember {
  const us = memberOf(group, [account.own?.pn, account.own?.lid])
  if (us === undefined) throw new GatewayError('GROUP_NOT_FOUND')
  return us
}

/** @throws GatewayError GROUP_NOT_FOUND */
export function isAdmin(context: InstanceContext, group: GroupInfo): boolean {
  return ownMember(context, group).role !== 'member'
}

/** @throws GatewayError GROUP_NOT_FOUND, NOT_GROUP_ADMIN */
export function requireAdmin(context: InstanceContext, group: GroupInfo): GroupInfo {
  if (!isAdmin(context, group)) throw new GatewayError('NOT_GROUP_ADMIN')
  return group
}

/** Gives refusals of the network the message that the interface has for the operation. */
export function withRefusalMessage(message: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GatewayError) || error.code !== 'GROUP_REFUSED') throw error
    throw new GatewayError('GROUP_REFUSED', { message, fields: error.fields, cause: error })
  }
}

/** Turns refusals with one of these codes of the network into an error of ours. */
export function mapRefusal(codes: readonly number[], code: ErrorCode): (error: unknown) => never {
  return (error) => {
    if (error instanceof GatewayError && codes.includes(Number(error.fields.provider_code)))
      throw new GatewayError(code, { cause: error })
    throw error
  }
}
