/** Follows the calls of an instance, as the stream tells them. */
import { useMutation } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { call } from '../api/client.js'
import { isObject } from '../api/problem.js'
import { addCall, type SeenCall } from './seen-calls.js'
import { useInstanceEvents, useThisInstance } from './use-this-instance.js'

export function useCalls() {
  const { credential } = useThisInstance()
  const [calls, setCalls] = useState<readonly SeenCall[]>([])
  useInstanceEvents((event) => {
    // The end of a call may have been missed while there was no stream.
    if (event === 'open') setCalls((before) => before.filter(({ state }) => state !== 'Ringing'))
    else if (event.EventType === 'call' && isObject(event.event)) {
      const { state, event: told } = event
      setCalls((before) => addCall(before, String(state), told))
    }
  })
  const forget = useCallback((id: string) => setCalls((before) => before.filter((one) => one.id !== id)), [])
  const reject = useMutation({
    mutationFn: async ({ id, from }: SeenCall) => {
      if (credential === undefined) throw new Error('There is no pass for this instance yet.')
      return call('rejectCall', credential, { body: { id, number: from } })
    },
  })
  return { calls, forget, reject }
}
