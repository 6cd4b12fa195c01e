import { actOnChannelAdmin, inviteChannelAdmin } from './admins.js'
import { actOnChannel, changeChannel, createChannel } from './manage.js'
import { markPostsViewed, reactToPost, reviseChannelPost, subscribeToChannel } from './posts.js'
import { listChannelPosts, listChannels, listChannelUpdates, searchChannels, showChannel } from './read.js'

export const channelOperations = [
  actOnChannel,
  actOnChannelAdmin,
  changeChannel,
  createChannel,
  inviteChannelAdmin,
  listChannelPosts,
  listChannels,
  listChannelUpdates,
  markPostsViewed,
  reactToPost,
  reviseChannelPost,
  searchChannels,
  showChannel,
  subscribeToChannel,
] as const
