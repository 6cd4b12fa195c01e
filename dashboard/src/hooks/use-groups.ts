/** Changes groups, one and several, and tells what became of each. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Credential, call } from '../api/client.js'
import type { Scope } from './use-operation.js'

export type GroupChange =
  | { readonly kind: 'announce' | 'locked' | 'approval' | 'addMode'; readonly isOn: boolean }
  | { readonly kind: 'ephemeral'; readonly duration: 'off' | '1d' | '7d' | '90d' }
  | { readonly kind: 'name' | 'description'; readonly text: string }
  | { readonly kind: 'reset' | 'leave' }

export interface GroupResult {
  readonly groupjid: string
  /** Null if it was done. */
  readonly error: Error | null
}

/** Applies a change to each group in turn. One that fails does not stop the others. */
export function useChangeGroups({ id, credential }: Scope) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ groups, change }: { groups: readonly string[]; change: GroupChange }) => {
      if (credential === undefined) throw new Error('There is no pass yet.')
      const results: GroupResult[] = []
      for (const groupjid of groups) {
        try {
          await applied(credential, groupjid, change)
          results.push({ groupjid, error: null })
        } catch (error) {
          results.push({ groupjid, error: error instanceof Error ? error : new Error() })
        }
      }
      return results
    },
    onSettled: (_results, _error, { change }) =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['findGroups', id] }),
        // A group that the account has left cannot be read any more.
        client.invalidateQueries({
          queryKey: ['tellGroup', id],
          refetchType: change.kind === 'leave' ? 'none' : 'active',
        }),
      ]),
  })
}

function applied(credential: Credential, groupjid: string, change: GroupChange): Promise<unknown> {
  switch (change.kind) {
    case 'announce':
      return call('updateAnnounce', credential, { body: { groupjid, announce: change.isOn } })
    case 'locked':
      return call('updateLocked', credential, { body: { groupjid, locked: change.isOn } })
    case 'approval':
      return call('updateJoinApproval', credential, { body: { groupjid, IsJoinApprovalRequired: change.isOn } })
    case 'addMode':
      return call('updateMemberAddMode', credential, {
        body: { groupjid, MemberAddMode: change.isOn ? 'all_member_add' : 'admin_add' },
      })
    case 'ephemeral':
      return call('groupEphemeral', credential, { body: { groupjid, duration: change.duration } })
    case 'name':
      return call('updateGroupName', credential, { body: { groupjid, name: change.text } })
    case 'description':
      return call('updateGroupDescription', credential, { body: { groupjid, description: change.text } })
    case 'reset':
      return call('resetInviteCode', credential, { body: { groupjid } })
    case 'leave':
      return call('leaveGroup', credential, { body: { groupjid } })
  }
}
