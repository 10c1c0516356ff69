// Tests the translator of the page in node: its translations are those of the program on this machine, which has another compiler and other vectors.
//
//     node tests/page/translations_test.mjs build/page build/release/gradus [folder with Multi30k's test_2016_flickr (.en.gz, .de.gz)]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import test from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";

import { made, unpacked } from "../../page/scripts/load.mjs";
import { cut } from "../../page/scripts/parts.mjs";
import { Translator } from "../../page/scripts/translator.mjs";
import { beamsOf, pathTo } from "../../page/scripts/tree.mjs";

const root = new URL("../..", import.meta.url).pathname;
const [page, program, data] = process.argv.slice(2);
const read = (path) => readFileSync(resolve(root, path), "utf8");
const lines = (text) => text.trimEnd().split("\n");
const engine = () => made(createRequire(import.meta.url)(resolve(page, "translator_engine.js")));

// What the script of the page has been told about the models.
const models = JSON.parse(readFileSync(resolve(page, "translator.js"), "utf8").match(/\.start\((\{.*\}), document\.currentScript\);/)[1]);

async function translatorOf(name) {
  for (let i = 0; i < models[name].parts; ++i) new Function(readFileSync(resolve(page, `${name}.${i}.js`), "utf8"))();
  const parts = Array.from({ length: models[name].parts }, (_, i) => globalThis.gradus_parts[`${name}.${i}`]);
  return new Translator(await engine(), cut(new Uint8Array(await unpacked(...parts)), models[name].bytes));
}

// The program's translations on one thread, one sentence at a time, and how many milliseconds each took.
function natively(name, beam, texts) {
  const begin = performance.now();
  const said = execFileSync(program, ["translate", "--model", resolve(root, "chapters/11_translator/models", name), "--beam-size", beam, "--threads", "1", "--buffer", "1"],
    { input: `${texts.join("\n")}\n`, stdio: ["pipe", "pipe", "ignore"] });
  return { said: lines(said.toString()), ms: (performance.now() - begin) / texts.length };
}

const translators = Object.fromEntries(await Promise.all(Object.keys(models).map(async (name) => [name, await translatorOf(name)])));

// Compares the translations of texts; `least` of them must be equal.
function compare(name, beam, texts, least) {
  const native = natively(name, beam, texts);
  const begin = process.cpuUsage(); // of a busy machine it is not the time that passes
  const said = texts.map((text) => translators[name].translate(text, beam));
  const ms = process.cpuUsage(begin).user / 1000 / texts.length;
  const others = texts.map((text, i) => [text, said[i], native.said[i]]).filter(([, ours, theirs]) => ours !== theirs);
  console.log(`${name}, beam ${beam}: ${texts.length - others.length} of ${texts.length} as the program says them; ${ms.toFixed(1)} ms each in the page's engine, ${native.ms.toFixed(1)} natively`);
  assert.ok(texts.length - others.length >= least, JSON.stringify(others.slice(0, 5), null, 1));
  return { ms, native: native.ms };
}

for (const name of Object.keys(models)) {
  const [side] = name.split("-");
  for (const beam of [1, 5]) {
    test(`${name}, beam ${beam}: the captions of the toy are translated as the program does it`, () => {
      const texts = lines(read(`chapters/11_translator/toy/test.${side}`));
      compare(name, beam, texts, texts.length);
    });
  }
}

const isThere = data && existsSync(resolve(data, "test_2016_flickr.en.gz"));
test("of 1,000 captions at least 995 are translated as the program does it, at a fifth of its speed", { skip: !isThere && "no Multi30k (make check-page DATA=folder)" }, () => {
  for (const name of Object.keys(models)) {
    const texts = lines(gunzipSync(readFileSync(resolve(data, `test_2016_flickr.${name.slice(0, 2)}.gz`))).toString());
    for (const beam of [1, 5]) {
      const found = compare(name, beam, texts, 995);
      assert.ok(found.ms <= 5 * found.native, `${found.ms} ms, natively ${found.native}`);
    }
  }
});

// The tables of Unicode are the browser's: signs that the model never saw, marks in their parts, characters that show nothing, other scripts.
test("texts of all kinds are read as the program reads them", () => {
  const kinds = ["A\u00AD dog\u200B runs.", "\uFB01re \uFB00 \u2026", "\uFF21 \uFF44\uFF4F\uFF47 runs\uFF0E", "Cafe\u0301 A\u030Angstro\u0308m", "\u201CA dog\u201D \u2013 it\u2019s", "12 34", "?!", "dog",
    "A dog dog", "two red balls", "\u0391 \u03A3\u039F\u03A6\u039F\u03A3 dog", "\u0928\u094D\u200D\u0930 dog", "\u0645\u06CC\u200C\u062E dog", "\u72D7\u5728\u8DD1", "\uAC1C\uAC00", "A \u{1F415}\u200D\u{1F9BA} runs",
    "a\u0301\u0323\u0345 dog", "\u1E9B\u0323 dog", "A\u00A0dog\u3000runs", "\u0130 I \u0131 dog", "\u212B \u2126 \u00BD 10\u00B2", "a b c d e f g h", "ein \u00FCberra\u0308schter Hund"];
  for (const name of Object.keys(models)) for (const beam of [1, 5]) compare(name, beam, kinds, kinds.length);
});

test("the warnings are those of the program", () => {
  const texts = ["An igloo with 3 \u00BD doors.", "A man in a harpsichord statutes.", "Two dogs run. A cat sleeps.", "12\u00B2 dogs and \u0663 cats", "A dog runs.", "A \u20AC 5 hat", "\u2460 dog \u00BC red"];
  const said = execFileSync(program, ["translate", "--json", "--model", resolve(root, "chapters/11_translator/models/en-de")], { input: `${texts.join("\n")}\n`, stdio: ["pipe", "pipe", "ignore"] });
  const expected = lines(said.toString()).map((line, i) => JSON.parse(line).warnings.map(({ code, text }) => [code, text.replaceAll(`line ${i + 1}`, "the sentence")]));
  assert.ok(new Set(expected.flat().map(([code]) => code)).size >= 3, JSON.stringify(expected));
  const found = texts.map((text) => {
    translators["en-de"].translate(text, 5);
    return translators["en-de"].inside().warnings.map(({ code, text: words }) => [code, words]);
  });
  assert.deepEqual(found, expected);
});

test("what is inside belongs to the translation", () => {
  const translator = translators["en-de"];
  const said = translator.translate("A little girl in a pink dress is climbing a tree.", 4);
  const inside = translator.inside();
  assert.deepEqual([inside.text, inside.source, inside.n_best.length], [said, "A little girl in a pink dress is climbing a tree.", 4]);
  assert.equal(inside.tokens.map(({ text }) => text).join("").replace("<eos>", "").replaceAll("\u2581", " ").trim(), said);
  for (const [i, { text, probability, candidates }] of inside.steps.entries()) {
    assert.deepEqual([text, candidates.length], [inside.tokens[i].text, 5]);
    assert.ok(Math.abs(probability - Math.exp(inside.tokens[i].log_prob)) < 1e-9);
    const chosen = candidates.find((candidate) => candidate.text === text);
    assert.ok(!chosen || Math.abs(chosen.probability - probability) < 1e-4, `${text}: ${probability}, in one pass ${chosen?.probability}`);
  }
  const { weights, mean, layers, heads } = inside.attention;
  assert.deepEqual([weights.length, weights[0].length, mean.length, mean[0].length], [layers, heads, inside.tokens.length, inside.source_tokens.length]);
  for (const row of [...mean, ...weights.flat(2)]) assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - 1) < 0.02);
  const steps = beamsOf(inside.tree);
  const path = pathTo(steps, inside.tokens.map(({ text }) => text));
  assert.deepEqual(path.map(({ text }) => text), inside.tokens.map(({ text }) => text));
  assert.ok(Math.abs(path.at(-1).logProb - inside.tokens.reduce((sum, token) => sum + token.log_prob, 0)) < 1e-9);
  assert.ok(path.at(-1).ended && steps.every((beams) => beams.length <= 4));
});

test("greedy search has no branches, and a text without letters no tree", () => {
  const translator = translators["de-en"];
  translator.translate("Ein Hund rennt durch den Schnee.", 1);
  assert.ok(translator.inside().tree.every((beams) => beams.length === 1));
  assert.equal(translator.translate(" 12  34 ", 5), "12 34");
  assert.deepEqual([translator.inside().tokens, translator.inside().tree], [[], undefined]);
});

test("what cannot be translated is said", () => {
  const translator = translators["en-de"];
  assert.throws(() => translator.translate("A dog.", 0), /beam size is 0/);
  assert.equal(translator.translate("", 5), "");
  assert.throws(() => new Translator(translator.wasm, [new Uint8Array(1), new Uint8Array(1), new Uint8Array(1)]), /model\.json/);
  assert.equal(translator.translate("A dog runs through the snow.", 5), "Ein Hund rennt durch den Schnee.");
});

test("the translator's code has at most 400 KB, compressed, and a model at most 12 MB", () => {
  const size = (name) => gzipSync(readFileSync(resolve(page, name))).length;
  const code = ["translator_engine.js", "translator.js", "translator.css"].map(size);
  assert.ok(code.reduce((sum, bytes) => sum + bytes) <= 400_000, `${code} bytes`);
  for (const [name, { parts }] of Object.entries(models)) {
    const bytes = Array.from({ length: parts }, (_, i) => readFileSync(resolve(page, `${name}.${i}.js`)).length).reduce((sum, x) => sum + x);
    assert.ok(bytes <= 12_000_000, `${name}: ${bytes} bytes`);
  }
});
