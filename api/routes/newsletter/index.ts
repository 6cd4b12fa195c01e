import type { Route } from '../../route.js'
import {
  acceptChannelAdmin,
  inviteChannelAdmin,
  removeChannelAdmin,
  revokeChannelInvite,
  transferChannel,
} from './admins.js'
import {
  createChannel,
  deleteChannel,
  followChannel,
  muteChannel,
  setChannelDescription,
  setChannelName,
  setChannelPicture,
  setChannelSettings,
  unfollowChannel,
  unmuteChannel,
} from './manage.js'
import { deleteChannelPost, editChannelPost, markPostsViewed, reactToPost, subscribeToChannel } from './posts.js'
import { findChannel, listChannelPosts, listChannels, listChannelUpdates, searchChannels, showChannel } from './read.js'

/** Routes of the area, in the order of the documentation. */
export const newsletterRoutes: readonly Route[] = [
  listChannels,
  createChannel,
  showChannel,
  findChannel,
  searchChannels,
  followChannel,
  muteChannel,
  unmuteChannel,
  unfollowChannel,
  subscribeToChannel,
  listChannelPosts,
  listChannelUpdates,
  markPostsViewed,
  reactToPost,
  editChannelPost,
  deleteChannelPost,
  setChannelName,
  setChannelDescription,
  setChannelPicture,
  setChannelSettings,
  inviteChannelAdmin,
  acceptChannelAdmin,
  removeChannelAdmin,
  revokeChannelInvite,
  transferChannel,
  deleteChannel,
]
