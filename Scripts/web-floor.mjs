// Checks the web apps against the oldest browsers that are served, by MDN's compatibility data
// (Debian's node-mdn-browser-compat-data) and, for what is newer than that data, by NEWER below.
//
// JavaScript is parsed (Debian's node-acorn). A name is looked up as a member of a global object
// where the source says so, such as `AbortSignal.any`; any other member is looked up in every
// interface, and is too new when it is in all of them that have it. A newer name is allowed where
// the source asks first whether it is there: `a.b?.()`, `'b' in a`, `typeof b`, `if (a.b)`.

import { createRequire } from 'node:module';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const require = createRequire('/usr/share/nodejs/');
const acorn = require('/usr/share/nodejs/acorn');
const walk = require('/usr/share/nodejs/acorn-walk');
const data = JSON.parse(readFileSync('/usr/share/nodejs/@mdn/browser-compat-data/data.json'));

const FLOOR = { chrome: 100, firefox: 115, safari: 16, safari_ios: 16 };

// What came after Debian's data was written, with the first versions, or nothing where there is
// none; and corrections of that data for Firefox 109 to 115.
const NEWER = {
  'AbortSignal.any': { chrome: 116, firefox: 124, safari: 17.4 },
  'Promise.withResolvers': { chrome: 119, firefox: 121, safari: 17.4 },
  'Object.groupBy': { chrome: 117, firefox: 119, safari: 17.4 },
  'Map.groupBy': { chrome: 117, firefox: 119, safari: 17.4 },
  'Array.fromAsync': { chrome: 121, firefox: 115, safari: 16.4 },
  'URL.canParse': { chrome: 120, firefox: 115, safari: 17 },
  'PublicKeyCredential.getClientCapabilities': { chrome: 133, firefox: 135, safari: 17.4 },
  toSorted: { chrome: 110, firefox: 115, safari: 16 },
  toReversed: { chrome: 110, firefox: 115, safari: 16 },
  toSpliced: { chrome: 110, firefox: 115, safari: 16 },
  isWellFormed: { chrome: 111, firefox: 119, safari: 16.4 },
  toWellFormed: { chrome: 111, firefox: 119, safari: 16.4 },
  addRoutes: { chrome: 123 },
  startViewTransition: { chrome: 111, firefox: 144, safari: 18 },
  showPopover: { chrome: 114, firefox: 125, safari: 17 },
  hidePopover: { chrome: 114, firefox: 125, safari: 17 },
  togglePopover: { chrome: 114, firefox: 125, safari: 17 },
  checkVisibility: { chrome: 105, firefox: 106, safari: 17.4 },
  'css.::view-transition': { chrome: 111, safari: 18 },
  'css.@starting-style': { chrome: 117, firefox: 129, safari: 17.5 },
  'css.@layer': { chrome: 99, firefox: 97, safari: 15.4 },
  'css.nesting': { chrome: 112, firefox: 117, safari: 16.5 },
  'css.text-wrap': { chrome: 114, firefox: 121, safari: 17.4 },
  'css.field-sizing': { chrome: 123, safari: 26.2 },
  'css.light-dark()': { chrome: 123, firefox: 120, safari: 17.5 },
  'css.overflow-wrap: anywhere': { chrome: 80, firefox: 65, safari: 15.4 },
  'css.inline-size: fit-content': { chrome: 57, firefox: 94, safari: 12.1 },
  'css.container-type': { chrome: 105, firefox: 110, safari: 16 },
  'css.@container': { chrome: 105, firefox: 110, safari: 16 },
  'css.:has': { chrome: 105, firefox: 121, safari: 15.4 },
  'css.color-mix()': { chrome: 111, firefox: 113, safari: 16.2 },
  'html.popover': { chrome: 114, firefox: 125, safari: 17 },
  'html.search': { chrome: 118, firefox: 118, safari: 17 },
  'html.inert': { chrome: 102, firefox: 112, safari: 15.5 },
};

// What is used although it is newer, and what becomes of a page without it.
const TOLERATED = {
  'css @container': 'long texts on narrow screens are crowded, in Chrome before 105 only',
  'css container-type': 'as @container',
  'css @property': 'drawing a long list takes longer',
  'css field-sizing': 'a field keeps its usual size',
  'css outline': 'Safari before 16.4 draws it with sharp corners',
  'css text-size-adjust': 'the prefixed one beside it is the one of Safari',
  'rel=icon': 'Safari on iOS takes the apple-touch-icon beside it',
  'crossorigin=': 'a file that is asked for early is asked for again',
};

// Members of our own objects, of the messages of the core and of the server, which have the name of
// something else.
const OURS = new Set([
  'badge', 'country', 'details', 'layout', 'lines', 'memory', 'node', 'opened', 'organization',
  'read', 'results', 'serial', 'session', 'token', 'unlock',
]);

// What an object at the global scope is an instance of.
const INSTANCES = {
  caches: 'CacheStorage', clients: 'Clients', console: 'console', crypto: 'Crypto',
  document: 'Document', history: 'History', indexedDB: 'IDBFactory', localStorage: 'Storage',
  location: 'Location', navigator: 'Navigator', performance: 'Performance',
};

const number = (text) => Number(String(text).replace('≤', '').split('-')[0]);

// The first version that has a feature with no flag, prefix or other name; infinity for none.
function firstVersion(support) {
  for (const entry of [support ?? []].flat()) {
    if (entry.flags || entry.prefix || entry.alternative_name || entry.version_removed) continue;
    if (entry.partial_implementation) continue;
    if (entry.version_added === true) return 0;
    const version = number(entry.version_added);
    if (entry.version_added && Number.isFinite(version)) return version;
  }
  return Infinity;
}

function versionsOf(node) {
  const support = node?.__compat?.support;
  if (!support) return null;
  return Object.fromEntries(Object.keys(FLOOR).map((name) => [name, firstVersion(support[name])]));
}

const newer = (name) => {
  const known = Object.hasOwn(NEWER, name) ? NEWER[name] : null;
  if (!known) return null;
  const { chrome = Infinity, firefox = Infinity, safari = Infinity } = known;
  return { chrome, firefox, safari, safari_ios: safari };
};

const isTooNew = (versions) => Object.keys(FLOOR).some((name) => versions[name] > FLOOR[name]);

const shown = (versions) => Object.entries(versions)
  .map(([name, version]) => `${name} ${version === Infinity ? 'none' : version}`).join(', ');

// MARK: What was found

const found = new Map();

// One use of a feature; `isGuarded` says whether the source asks for it first.
function note(feature, versions, place, isGuarded) {
  const entry = found.get(feature) ?? { versions, places: [], isGuarded: true };
  const isAllowed = isGuarded || Object.hasOwn(TOLERATED, feature);
  // The first place is one that is not guarded, if there is one.
  if (!isAllowed && entry.isGuarded) entry.places.unshift(place);
  else entry.places.push(place);
  if (!isAllowed) entry.isGuarded = false;
  found.set(feature, entry);
}

// MARK: JavaScript

const { Intl, WebAssembly: Wasm, ...builtins } = data.javascript.builtins;
const interfaces = { Intl, WebAssembly: Wasm, ...builtins, ...data.api, ...Intl, ...Wasm };
delete interfaces.__compat;
const owners = new Map();
for (const [owner, members] of Object.entries(interfaces)) {
  for (const name of Object.keys(members)) {
    if (name === '__compat') continue;
    owners.set(name, [...(owners.get(name) ?? []), owner]);
  }
}

const globalOf = (name) => INSTANCES[name] ?? (Object.hasOwn(interfaces, name) ? name : null);

// The versions of a member of a known interface; of its own or of one it extends.
function memberVersions(owner, name) {
  return newer(`${owner}.${name}`) ?? versionsOf(interfaces[owner]?.[name]);
}

// The least that any interface with such a member needs: it may be that one.
function anyVersions(name) {
  const known = newer(name);
  if (known) return known;
  const all = (owners.get(name) ?? []).map((owner) => versionsOf(interfaces[owner][name]))
    .filter(Boolean);
  if (all.length === 0) return null;
  return all.find((versions) => !isTooNew(versions)) ?? all[0];
}

function declaredNames(tree) {
  const names = new Set();
  const pattern = (node) => {
    if (!node) return;
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'ObjectPattern') node.properties.forEach((p) => pattern(p.value ?? p.argument));
    if (node.type === 'ArrayPattern') node.elements.forEach(pattern);
    if (node.type === 'AssignmentPattern') pattern(node.left);
    if (node.type === 'RestElement') pattern(node.argument);
  };
  walk.full(tree, (node) => {
    if (node.type === 'VariableDeclarator') pattern(node.id);
    if (/Function/.test(node.type)) { node.params.forEach(pattern); pattern(node.id); }
    if (/Class/.test(node.type)) pattern(node.id);
    if (node.type === 'CatchClause') pattern(node.param);
    if (/^Import.*Specifier$/.test(node.type)) pattern(node.local);
  });
  return names;
}

const pathOf = (node) => (node.type === 'ChainExpression' ? pathOf(node.expression)
  : node.type === 'Identifier' ? node.name
    : node.type === 'MemberExpression' && !node.computed
      ? `${pathOf(node.object)}.${node.property.name}` : '?');

// The names that a file asks for before it uses them.
function guardedNames(tree) {
  const names = new Set();
  const asked = (node) => {
    if (!node) return;
    if (node.type === 'LogicalExpression') { asked(node.left); asked(node.right); return; }
    if (node.type === 'UnaryExpression') { asked(node.argument); return; }
    if (node.type === 'BinaryExpression') { asked(node.left); asked(node.right); return; }
    if (node.type === 'Identifier') names.add(node.name);
    if (node.type === 'MemberExpression') names.add(pathOf(node).split('.').at(-1));
  };
  walk.full(tree, (node) => {
    if (node.type === 'BinaryExpression' && node.operator === 'in') names.add(node.left.value);
    if (node.type === 'UnaryExpression' && node.operator === 'typeof') asked(node.argument);
    if (/^(If|Conditional)/.test(node.type)) asked(node.test);
  });
  return names;
}

const SYNTAX = {
  StaticBlock: { chrome: 94, firefox: 93, safari: 16.4, safari_ios: 16.4 },
  lookbehind: { chrome: 62, firefox: 78, safari: 16.4, safari_ios: 16.4 },
};

// What tells an old browser must be read by it.
const OLDEST_SCRIPT = 'old-browser.js';

function checkScript(path, text) {
  if (path.endsWith(OLDEST_SCRIPT)) acorn.parse(text, { ecmaVersion: 5, sourceType: 'script' });
  const tree = acorn.parse(text, { ecmaVersion: 2022, sourceType: 'module', locations: true });
  const declared = declaredNames(tree);
  const guarded = guardedNames(tree);
  walk.ancestor(tree, {
    StaticBlock(node) { note('static block', SYNTAX.StaticBlock, `${path}:${node.loc.start.line}`); },
    Literal(node) {
      if (node.regex && /\(\?<[=!]/.test(node.regex.pattern)) {
        note('lookbehind', SYNTAX.lookbehind, `${path}:${node.loc.start.line}`);
      }
    },
    Identifier(node) {
      if (declared.has(node.name) || INSTANCES[node.name]) return;
      const { Window, WorkerGlobalScope, ServiceWorkerGlobalScope } = data.api;
      const versions = [interfaces[node.name], Window[node.name], WorkerGlobalScope[node.name],
        ServiceWorkerGlobalScope[node.name]].map(versionsOf).find(Boolean);
      if (versions) note(node.name, versions, `${path}:${node.loc.start.line}`, guarded.has(node.name));
    },
    MemberExpression(node, ancestors) {
      const { object, property, computed } = node;
      if (computed || property.type !== 'Identifier') return;
      const { name } = property;
      const parent = ancestors.at(-2);
      const isGuarded = guarded.has(name) || (parent?.type === 'CallExpression' && parent.optional);
      const place = `${path}:${property.loc.start.line}`;
      const isGlobal = object.type === 'Identifier' && !declared.has(object.name);
      const owner = isGlobal ? globalOf(object.name) : null;
      const own = owner && memberVersions(owner, name);
      if (own) {
        note(`${owner}.${name}`, own, place, isGuarded);
        return;
      }
      // A namespace such as `WebAssembly` or a class without this member in the data: either it is
      // inherited, or newer than the data.
      if (owner && name !== 'prototype' && !owners.has(name) && !INSTANCES[object.name]) {
        note(`${owner}.${name} (not in the data: add it to NEWER)`, newer(''), place, isGuarded);
        return;
      }
      const any = OURS.has(name) ? null : anyVersions(name);
      if (any) note(`….${name}`, any, place, isGuarded);
    },
  });
}

// MARK: CSS

const cssTypes = Object.keys(data.css.types);

function checkStyle(path, text) {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '));
  let depth = [];
  let buffer = '';
  let line = 1;
  const lookUp = (feature, node, isGuarded = false) => {
    const versions = newer(`css.${feature}`) ?? versionsOf(node);
    const inSupports = depth.some((head) => head.startsWith('@supports'));
    if (versions) note(`css ${feature}`, versions, `${path}:${line}`, isGuarded || inSupports);
  };
  const isRule = (head) => !head.startsWith('@') || /^@(font-face|page|property)/.test(head);
  const selector = (head) => {
    for (const [, name] of head.matchAll(/::?([a-z-]+)/g)) {
      lookUp(`:${name}`, data.css.selectors[name]);
      lookUp(`::${name}`, null);
    }
  };
  const seen = [];
  for (const letter of `${code}`) {
    if (letter === '\n') line += 1;
    if (letter === '{') {
      const head = buffer.trim();
      if (head.startsWith('@')) {
        const name = head.slice(1).split(/[\s({]/)[0];
        lookUp(`@${name}`, data.css['at-rules'][name]);
        for (const [, feature] of head.matchAll(/\(([a-z-]+)\s*[:)]/g)) {
          // A question that a browser does not know has the answer no.
          lookUp(`@${name} ${feature}`, data.css['at-rules'][name]?.[feature], true);
        }
      } else {
        if (depth.some(isRule)) lookUp('nesting', null);
        selector(head);
      }
      depth.push(head);
      seen.push(new Set());
      buffer = '';
    } else if (letter === '}' || letter === ';') {
      const [, name, value] = /^\s*([a-z-]+)\s*:([^]*)$/.exec(buffer) ?? [];
      if (name && depth.length > 0 && !name.startsWith('--')) {
        // An older browser takes the declaration before it.
        const hasFallback = seen.at(-1).has(name);
        seen.at(-1).add(name);
        const property = data.css.properties[name];
        lookUp(name, property, hasFallback);
        for (const [word] of value.matchAll(/[a-z-]+(?=[\s;,)!]|$)/g)) {
          if (property?.[word]) lookUp(`${name}: ${word}`, property[word], hasFallback);
        }
        for (const [, call] of value.matchAll(/([a-z-]+)\(/g)) {
          const type = cssTypes.find((type) => type === call || data.css.types[type][call]);
          const node = data.css.types[call] ?? data.css.types[type]?.[call];
          lookUp(`${call}()`, node, hasFallback);
        }
        for (const [, unit] of value.matchAll(/\d(dvh|svh|lvh|dvw|svw|lvw|cqw|cqi|lh|rlh)\b/g)) {
          const key = unit.replace(/^(d|s|l)v[hw]$/, 'viewport_percentage_units_dynamic');
          lookUp(`unit ${unit}`, data.css.types.length[key] ?? data.css.types.length[unit],
            hasFallback);
        }
      }
      if (letter === '}') { depth.pop(); seen.pop(); }
      buffer = '';
    } else {
      buffer += letter;
    }
  }
}

// MARK: HTML

function checkElement(path, line, tag, attributes) {
  const element = data.html.elements[tag];
  const versions = newer(`html.${tag}`) ?? versionsOf(element);
  if (versions) note(`<${tag}>`, versions, `${path}:${line}`);
  for (const name of attributes) {
    const known = newer(`html.${name}`) ?? versionsOf(element?.[name])
      ?? versionsOf(data.html.global_attributes[name]);
    if (known) note(`${name}=`, known, `${path}:${line}`, isHint(name));
  }
}

// What only helps where it is known; everything works without it.
const HINTS = new Set(['autofocus', 'enterkeyhint', 'inputmode', 'autocapitalize', 'media', 'spellcheck']);
const isHint = (name) => HINTS.has(name);

function checkPage(path, text) {
  text.split('\n').forEach((words, index) => {
    for (const [, tag, rest] of words.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)/g)) {
      const names = [...rest.matchAll(/\s([a-z-]+)(?==|\s|$)/g)].map(([, name]) => name);
      checkElement(path, index + 1, tag, names);
      for (const [, rel] of rest.matchAll(/rel="([a-z]+)"/g)) {
        const known = versionsOf(data.html.elements.link.rel?.[rel]);
        if (known) note(`rel=${rel}`, known, `${path}:${index + 1}`, rel.endsWith('preload') || rel === 'manifest');
      }
    }
  });
}

// The shells make elements with `element('tag', { name: value })`.
function checkMadeElements(path, text) {
  text.split('\n').forEach((words, index) => {
    for (const [, tag, rest] of words.matchAll(/element\('([a-z0-9]+)'(?:, \{([^}]*))?/g)) {
      const names = [...(rest ?? '').matchAll(/'?([a-z-]+)'?\s*[:,]/g)].map(([, name]) => name);
      checkElement(path, index + 1, tag, names);
    }
  });
}

// MARK: The check

function filesBelow(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

function checkFile(path, text) {
  if (path.endsWith('.js')) { checkScript(path, text); checkMadeElements(path, text); }
  if (path.endsWith('.css')) checkStyle(path, text);
  if (path.endsWith('.html')) checkPage(path, text);
}

const tooNew = () => [...found].filter(([, { versions, isGuarded }]) =>
  !isGuarded && (!versions || isTooNew(versions)));

// Each of these must be found in the place of the files.
const PLANTS = [
  ['a.js', 'const both = AbortSignal.any([]);', 'AbortSignal.any'],
  ['a.js', 'const { promise } = Promise.withResolvers();', 'Promise.withResolvers'],
  ['a.js', 'const sorted = (list) => list.toSorted();', '….toSorted'],
  ['a.js', 'new CompressionStream("gzip");', 'CompressionStream'],
  ['a.js', 'const x = navigator.locks.request; requestIdleCallback(x);', 'requestIdleCallback'],
  ['a.js', 'const x = Promise.sooner();', 'Promise.sooner (not in the data: add it to NEWER)'],
  ['a.js', 'class A { static { A.x = 1; } }', 'static block'],
  ['a.js', 'const x = /(?<=a)b/;', 'lookbehind'],
  ['a.css', 'p { text-wrap: balance; }', 'css text-wrap'],
  ['a.css', 'p { span { color: red; } }', 'css nesting'],
  ['a.css', 'p { color: light-dark(red, blue); }', 'css light-dark()'],
  ['a.css', 'p:has(a) { color: red; }', 'css :has'],
  ['a.css', 'p { height: 100dvh; }', 'css unit dvh'],
  ['a.html', '<div popover>', 'popover='],
  ['a.js', 'clients.claimAllOfThem(); const x = new BarcodeDetector();', 'BarcodeDetector'],
];

// What asks first is no mistake.
const GUARDED = [
  ['a.js', "if ('CompressionStream' in globalThis) new CompressionStream('gzip');"],
  ['a.js', 'event.addRoutes?.({});'],
  ['a.css', 'p { height: 100vh; height: 100dvh; }'],
  ['a.css', '@supports (text-wrap: balance) { p { text-wrap: balance; } }'],
];

function selfTest() {
  for (const [path, text, feature] of PLANTS) {
    found.clear();
    checkFile(path, text);
    const names = tooNew().map(([name]) => name);
    if (!names.includes(feature)) throw new Error(`not found: ${text} (${names.join(', ')})`);
  }
  for (const [path, text] of GUARDED) {
    found.clear();
    checkFile(path, text);
    const names = tooNew().map(([name]) => name);
    if (names.length > 0) throw new Error(`found though guarded: ${text} (${names.join(', ')})`);
  }
  console.log(`${PLANTS.length} planted features were found`);
}

if (process.argv.includes('--self-test')) selfTest();
found.clear();
for (const path of filesBelow('Apps/Web')) checkFile(path, readFileSync(path, 'utf8'));
if (process.argv.includes('--list')) {
  for (const [name, { versions, places, isGuarded }] of [...found].sort()) {
    const mark = versions && isTooNew(versions) ? (isGuarded ? ' (guarded)' : ' (TOO NEW)') : '';
    console.log(`${name}: ${versions ? shown(versions) : 'unknown'}${mark}, ${places[0]}`);
  }
}
for (const [name, { versions, places }] of tooNew()) {
  console.error(`${places[0]}: error: ${name} is newer than the oldest browsers: ${
    versions ? shown(versions) : 'unknown'}`);
}
const floor = Object.entries(FLOOR).map(([name, version]) => `${name} ${version}`).join(', ');
console.log(`${found.size} features used, oldest browsers: ${floor}`);
process.exitCode = tooNew().length > 0 ? 1 : 0;
