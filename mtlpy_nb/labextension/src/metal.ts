// SPDX-License-Identifier: MIT
// The Metal Shading Language for CodeMirror: C++'s tokens with Metal's words.

import { StreamLanguage, StreamParser, StringStream } from '@codemirror/language';
import { clike } from '@codemirror/legacy-modes/mode/clike';import { tags } from '@lezer/highlight';

import words from './words.json';

type Words = { [word: string]: true };

function table(list: string[]): Words {
  return Object.fromEntries(list.map(word => [word, true as const]));
}

/** `[[buffer(0)]]`, whole: what is in it are names of Metal's, not of the program's. */
function attribute(stream: StringStream): string | false {
  return stream.match(/^\[(?:[^\]]|\](?!\]))*\]\]/) ? 'meta' : false;
}

/** A single colon ends a label; a pair must not end the statement that is indented. */
function scope(stream: StringStream): string | false {
  return stream.eat(':') ? 'derefOperator' : false;
}

interface PreprocessorState {
  startOfLine: boolean;
  tokenize: ((stream: StringStream, state: PreprocessorState) => string) | null;
}

function directive(stream: StringStream, state: PreprocessorState): string {
  let continued = false;
  while (!stream.eol() && !stream.match(/^\/[/*]/, false)) {
    continued = stream.next() === '\\' && stream.eol();
  }
  state.tokenize = continued ? directive : null;
  return 'meta';
}

function preprocessor(stream: StringStream, state: PreprocessorState): string | false {
  return state.startOfLine && directive(stream, state);
}

/** `length` and `step` are good names of variables and methods too: only a call of theirs is the library's. */
function calledOnly(stream: StringStream, _state: unknown, style: string): string | undefined {
  if (style !== 'builtin') {
    return undefined;
  }
  const isMember = /(\.|->)\s*$/.test(stream.string.slice(0, stream.start));
  return isMember || !stream.match(/^\s*\(/, false) ? 'variable' : undefined;
}

/** `float4`, `half3x3`, `atomic_uint`, and by C's custom whatever ends in `_t`. */
const types = table(words.type);

// The declaration of `clike` leaves out some of the options that its code takes.
const options = {
  name: 'metal',
  keywords: table(words.keyword),
  blockKeywords: table(['case', 'class', 'do', 'else', 'enum', 'for', 'if', 'struct', 'switch', 'union', 'while']),
  defKeywords: table(['class', 'enum', 'namespace', 'struct', 'union']),
  types: (word: string) => types[word] === true || /.+_t$/.test(word),
  atoms: table(words.atom),
  builtin: table(words.function),
  number: /^(?:0x[\da-f']+|0b[01']+|(?:\d[\d']*\.?[\d']*|\.\d+)(?:e[-+]?\d+)?)(?:u?ll?|l?u|bf|[fh])?/i,
  typeFirstDefinitions: true,
  dontIndentStatements: /^template$/,
  hooks: { '[': attribute, ':': scope, '#': preprocessor, token: calledOnly }
};

const parser = clike(options as unknown as Parameters<typeof clike>[0]) as StreamParser<any>;

// Jupyter's style leaves the names of types as plain text, so they are of another kind as well that it colours.
const TYPE = 'metalType';

export const metalParser: StreamParser<any> = {
  ...parser,
  token: (stream, state) => {
    const style = parser.token(stream, state);
    return style === 'type' ? TYPE : style;
  },
  tokenTable: { [TYPE]: [tags.typeName, tags.attributeName] }
};

/** Of a file of Metal source. */
export const metal = StreamLanguage.define(metalParser);
