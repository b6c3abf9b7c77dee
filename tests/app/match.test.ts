import { expect, test } from 'vitest'
import { findable, findBest } from '@/app/_ui/match'

const names = ['web-fra-01', 'web-ber-01', 'mail-fra-02', 'Größe', 'Servers']
const all = names.map((name) => findable(name, name, name === 'Servers' ? 'machines page' : `${name}.example.org server`))
const find = (query: string, limit = 10) => findBest(all, query, limit)

test('every word must match, in any order and letter case', () => {
  expect(find('fra web')).toEqual(['web-fra-01'])
  expect(find('WEB')).toEqual(['web-fra-01', 'web-ber-01'])
  expect(find('web nothing')).toEqual([])
})

test('names that begin with the words come before names that only contain them', () => {
  expect(find('server')).toEqual(['Servers', 'Größe', 'web-fra-01', 'web-ber-01', 'mail-fra-02'])
  expect(find('fra')).toEqual(['web-fra-01', 'mail-fra-02'])
  expect(find('machines')).toEqual(['Servers'])
})

test('missing letters are tolerated within the name, swapped letters are not', () => {
  expect(find('wf1')).toEqual(['web-fra-01'])
  expect(find('w1f')).toEqual([])
  expect(find('q')).toEqual([])
})

test('accents do not have to be typed', () => {
  expect(find('grosse')).toEqual([])
  expect(find('große')).toEqual(['Größe'])
  expect(find('Große')).toEqual(['Größe'])
})

test('a favoured item ranks first among equals, but matches nothing on that ground alone', () => {
  const favour = (name: string) => (name === 'web-ber-01' ? 15 : 0)
  expect(findBest(all, 'web', 10, favour)).toEqual(['web-ber-01', 'web-fra-01'])
  expect(findBest(all, 'mail', 10, favour)).toEqual(['mail-fra-02'])
})

test('at most the limit, the best of all', () => {
  expect(find('0', 2)).toEqual(['web-fra-01', 'web-ber-01'])
  const many = Array.from({ length: 10_000 }, (_, place) => findable(place, `server-${place}`, 'sandbox'))
  expect(findBest(many, 'sandbox 9999', 50)).toEqual([9999])
})

test('nothing typed, nothing found', () => {
  expect(find('  ')).toEqual([])
})
