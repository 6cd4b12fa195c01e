/** Changes groups, one and several, and tells what became of each. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type Given, type Name } from '../api/client.js'
import { buildShownCall, type ShownCall } from '../api/shown-call.js'
import type { Scope } from './use-operation.js'

export type GroupChange =
  | { readonly kind: 'announce' | 'locked' | 'approval' | 'addMode'; readonly isOn: boolean }
  | { readonly kind: 'ephemeral'; readonly duration: 'off' | '1d' | '7d' | '90d' }
  | { readonly kind: 'name' | 'description'; readonly text: string }
  | { readonly kind: 'reset' | 'leave' }

type Run<Result> = <One extends Name>(name: One, given: Given<One>) => Result

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
          await applyChange((name, given) => call(name, credential, given), groupjid, change)
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
        // A group that the account has left cannot be read.
        client.invalidateQueries({
          queryKey: ['tellGroup', id],
          refetchType: change.kind === 'leave' ? 'none' : 'active',
        }),
      ]),
  })
}

/** Returns the call that changes a group, for programs. */
export function buildGroupCall(groupjid: string, change: GroupChange): ShownCall {
  return applyChange((name, { body }) => buildShownCall(name, { body } as never), groupjid, change)
}

/** Does something with the call that makes a change. */
function applyChange<Result>(run: Run<Result>, groupjid: string, change: GroupChange): Result {
  switch (change.kind) {
    case 'announce':
      return run('updateAnnounce', { body: { groupjid, announce: change.isOn } })
    case 'locked':
      return run('updateLocked', { body: { groupjid, locked: change.isOn } })
    case 'approval':
      return run('updateJoinApproval', { body: { groupjid, IsJoinApprovalRequired: change.isOn } })
    case 'addMode':
      return run('updateMemberAddMode', {
        body: { groupjid, MemberAddMode: change.isOn ? 'all_member_add' : 'admin_add' },
      })
    case 'ephemeral':
      return run('groupEphemeral', { body: { groupjid, duration: change.duration } })
    case 'name':
      return run('updateGroupName', { body: { groupjid, name: change.text } })
    case 'description':
      return run('updateGroupDescription', { body: { groupjid, description: change.text } })
    case 'reset':
      return run('resetInviteCode', { body: { groupjid } })
    case 'leave':
      return run('leaveGroup', { body: { groupjid } })
  }
}
