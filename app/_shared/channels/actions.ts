'use server'

import {
  addChannel as add,
  changeChannel as change,
  removeChannel as remove,
  repeatDelivery as repeat,
  takeOverChannel as takeOver,
  testChannel as test,
  turnChannel as turn,
} from '@/lib/portal/delivery/change'
import { ownAction } from '@/lib/portal/spine/guarded-action'

export const addChannel = ownAction('channel.add', add)

export const changeChannel = ownAction('channel.change', change)

export const turnChannel = ownAction('channel.turnOn', turn)

export const removeChannel = ownAction('channel.remove', remove)

export const takeOverChannel = ownAction('channel.takeOver', takeOver)

export const testChannel = ownAction('channel.test', test)

export const repeatDelivery = ownAction('channel.repeat', repeat)
