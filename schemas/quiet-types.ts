/** Kinds of messages that clients do not show by themselves, by the `type` of their records, whose `messageType` is `other`. */
export const QUIET_TYPES = [
  'keepInChatMessage',
  'conditionalRevealMessage',
  'pollAddOptionMessage',
  'groupRootKeyShareMessage',
  'rootSecretDistributeMessage',
  'statusLinkPreviewMetadataMessage',
  // Control data that the gateway does not know.
  'protocolMessage',
] as const
