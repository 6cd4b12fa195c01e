/** Reads and changes the settings of the instance around the page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type {
  ExportInstanceRequest,
  SetCallSettingsRequest,
  SetProxyRequest,
  UpdateDefaultCountryRequest,
  UpdateDelaySettingsRequest,
  UpdateFieldsMapRequest,
} from '../../../schemas/generated.js'
import { type Credential, call } from '../api/client.js'
import { downloadFile } from '../api/download.js'
import { beginSession, readSession, runSignedIn } from '../api/session.js'
import { useThisInstance } from './use-this-instance.js'

export const useRename = () =>
  useChange((credential, name: string) => call('updateInstanceName', credential, { body: { name } }))

export const useFieldNames = () =>
  useChange((credential, body: UpdateFieldsMapRequest) => call('updateFieldsMap', credential, { body }))

export const useDefaultCountry = () =>
  useChange((credential, body: UpdateDefaultCountryRequest) => call('updateDefaultCountry', credential, { body }))

export const useDelays = () =>
  useChange((credential, body: UpdateDelaySettingsRequest) => call('updateDelaySettings', credential, { body }))

export const useSetProxy = () =>
  useChange((credential, body: SetProxyRequest) => call('setProxy', credential, { body }), 'proxy')

export const useSetCalls = () =>
  useChange((credential, body: SetCallSettingsRequest) => call('setCallSettings', credential, { body }), 'calls')

export const useClearQueue = () => useChange((credential, _: undefined) => call('clearQueue', credential, {}), 'queue')

export const useReset = () => useChange((credential, _: undefined) => call('resetInstance', credential, { body: {} }))

export const useProxy = () => useRead('proxy', (credential, signal) => call('showProxy', credential, { signal }))
export const useCalls = () => useRead('calls', (credential, signal) => call('showCallSettings', credential, { signal }))
export const useQueue = () => useRead('queue', (credential, signal) => call('tellQueue', credential, { signal }))
export const useLimits = () => useRead('limits', (credential, signal) => call('showLimits', credential, { signal }))
export const useHealth = () => useRead('health', (credential, signal) => call('showHealth', credential, { signal }))

export interface AdminNotes {
  readonly adminField01: string
  readonly adminField02: string
  readonly tags: readonly string[]
}

/** Changes the administrator's notes and tags. */
export function useAdminNotes() {
  const { id } = useThisInstance()
  return useChange(async (_, { tags, ...notes }: AdminNotes) => {
    await call('updateAdminFields', requireOwnCredential(), { body: { id, ...notes } })
    return call('updateTags', requireOwnCredential(), { body: { id, tags: [...tags] } })
  })
}

/** Finds the node that holds the instance. Only for administrators. */
export function usePlacement(id: string) {
  return useQuery({
    queryKey: ['placement', id],
    enabled: readSession()?.kind === 'admin' && id !== '',
    queryFn: ({ signal }) => call('tellPlacement', requireOwnCredential(), { params: { id }, signal }),
  })
}

/** Downloads the instance as an encrypted file, and stops it here. */
export function useExport() {
  const { id } = useThisInstance()
  return useChange((_, body: Omit<ExportInstanceRequest, 'id'>) =>
    downloadFile('/admin/instance/export', requireOwnCredential(), { id, ...body }, `${id}.posthorn`),
  )
}

/** Makes another token. The pass of somebody who signed in with the former one is replaced, so that the new token can still be read. */
export function useRotateToken() {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    // The reply has the instance's token.
    gcTime: 0,
    mutationFn: async (graceSeconds: number) => {
      const signedIn = readSession()
      if (signedIn?.kind === 'admin')
        return call('rotateInstanceToken', signedIn.credential, { params: { id }, body: { graceSeconds } })
      return runSignedIn(async () => {
        const made = await call('rotateToken', requireCredential(credential), { body: { graceSeconds } })
        const pass = await call('openPass', { header: 'token', token: made.token }, { body: {} })
        if (signedIn !== null) beginSession({ ...signedIn, credential: { header: 'token', token: pass.token } })
        return made
      })
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['access', id] }),
  })
}

export function useDeleteInstance() {
  const { credential, id } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('deleteInstance', requireCredential(credential), {}),
    onSuccess: () => {
      client.removeQueries({ queryKey: ['status', id] })
      return client.invalidateQueries({ queryKey: ['instances'] })
    },
  })
}

function useChange<Asked, Reply>(change: (credential: Credential, asked: Asked) => Promise<Reply>, alsoReads?: string) {
  const { id, credential } = useThisInstance()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (asked: Asked) => change(requireCredential(credential), asked),
    onSettled: () =>
      Promise.all(
        ['status', ...(alsoReads === undefined ? [] : [alsoReads])].map((name) =>
          client.invalidateQueries({ queryKey: [name, id] }),
        ),
      ),
  })
}

function useRead<Reply>(name: string, read: (credential: Credential, signal: AbortSignal) => Promise<Reply>) {
  const { id, credential } = useThisInstance()
  return useQuery({
    queryKey: [name, id],
    enabled: credential !== undefined,
    queryFn: ({ signal }) => read(requireCredential(credential), signal),
  })
}

function requireCredential(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass for this instance yet.')
  return credential
}

function requireOwnCredential(): Credential {
  return requireCredential(readSession()?.credential)
}
