// SPDX-License-Identifier: MIT
// Registers Metal with JupyterLab and Notebook, and turns cells that begin with `%%metal` to it.

import { LanguageSupport } from '@codemirror/language';
import { Compartment, EditorState, Extension, Prec } from '@codemirror/state';
import { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { EditorExtensionRegistry, IEditorExtensionRegistry, IEditorLanguageRegistry } from '@jupyterlab/codemirror';

import { isMetalCell, metalCell } from './cell';
import { metal } from './metal';

const MIME = 'text/x-metal';

const turn = new Compartment();

function extensionFor(isMetal: boolean): Extension {
  return isMetal ? metalCell : [];
}

/**
 * In the transaction that makes the first line a magic or none, the language changes with it: nothing is drawn in
 * between, the document isn't touched, so undo knows nothing of it, and no one else's mode of the cell is overwritten.
 */
const turnWithFirstLine = EditorState.transactionExtender.of(transaction => {
  if (!transaction.docChanged) {
    return null;
  }
  const wanted = extensionFor(isMetalCell(transaction.newDoc.sliceString(0, isMetalCell.looksAt)));
  return turn.get(transaction.startState) === wanted ? null : { effects: turn.reconfigure(wanted) };
});

const cells: JupyterFrontEndPlugin<void> = {
  id: 'mtlpy-nb:cells',
  description: "Gives %%metal cells Metal's colours.",
  autoStart: true,
  requires: [IEditorExtensionRegistry],
  activate: (_app: JupyterFrontEnd, extensions: IEditorExtensionRegistry) => {
    extensions.addExtension({
      name: 'mtlpy-nb:metal-cell',
      factory: ({ model }) => {
        if ((model as { type?: string }).type !== 'code') {
          return null;
        }
        const first = extensionFor(isMetalCell(model.sharedModel.getSource()));
        // Before the language that Jupyter chooses by the kernel: the first of several is the one that parses.
        return EditorExtensionRegistry.createImmutableExtension([Prec.highest(turn.of(first)), turnWithFirstLine]);
      }
    });
  }
};

const files: JupyterFrontEndPlugin<void> = {
  id: 'mtlpy-nb:files',
  description: 'Lets the text editor and Markdown know Metal.',
  autoStart: true,
  requires: [IEditorLanguageRegistry],
  activate: (app: JupyterFrontEnd, languages: IEditorLanguageRegistry) => {
    app.docRegistry.addFileType({
      name: 'metal',
      displayName: 'Metal File',
      extensions: ['.metal'],
      mimeTypes: [MIME]
    });
    if (languages.findByName('Metal') === null) {
      languages.addLanguage({ name: 'Metal', mime: MIME, extensions: ['metal'], support: new LanguageSupport(metal) });
    }
  }
};

export default [cells, files];
