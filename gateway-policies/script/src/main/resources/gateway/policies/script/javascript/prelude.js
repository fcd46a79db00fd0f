// Built-in methods whose work may be more than the memory they are given: here it is counted like a script's own.
(function (limits) {
  'use strict';

  function list(value) {
    if (!Array.isArray(value)) throw new TypeError('expected an array');
    if (value.length > limits.elements) throw new RangeError('expected at most ' + limits.elements + ' elements');
    return value;
  }

  function start(from, length) {
    let n = Math.trunc(Number(from)) || 0;
    return n < 0 ? Math.max(length + n, 0) : Math.min(n, length);
  }

  function called(value) {
    if (typeof value !== 'function') throw new TypeError('expected a function');
    return value;
  }

  function over(values, give) {
    let i = 0;
    return {
      next() {
        if (i < values.length) return { value: give(values, i++), done: false };
        i = Infinity;
        return { value: undefined, done: true };
      },
      [Symbol.iterator]() { return this; }
    };
  }

  function flattened(into, values, depth) {
    for (let i = 0; i < values.length; i++) {
      if (!(i in values)) continue;
      if (depth >= 1 && Array.isArray(values[i])) flattened(into, list(values[i]), depth - 1);
      else into[into.length] = values[i];
    }
    return list(into);
  }

  function byText(one, other) {
    let a = String(one), b = String(other);
    return a < b ? -1 : a > b ? 1 : 0;
  }

  function merged(values, compare) {
    if (values.length < 2) return values;
    let middle = values.length >> 1;
    let left = merged(values.slice(0, middle), compare), right = merged(values.slice(middle), compare);
    let all = [];
    let i = 0, j = 0;
    while (i < left.length && j < right.length) all[all.length] = compare(left[i], right[j]) <= 0 ? left[i++] : right[j++];
    while (i < left.length) all[all.length] = left[i++];
    while (j < right.length) all[all.length] = right[j++];
    return all;
  }

  function sort(compare) {
    let values = list(this), present = [];
    let absent = 0;
    if (compare !== undefined) called(compare);
    for (let i = 0; i < values.length; i++) {
      if (!(i in values)) continue;
      if (values[i] === undefined) absent++;
      else present[present.length] = values[i];
    }
    let all = merged(present, compare || byText), length = values.length;
    for (let i = 0; i < length; i++) {
      if (i < all.length) values[i] = all[i];
      else if (i < all.length + absent) values[i] = undefined;
      else delete values[i];
    }
    return values;
  }

  // What `$1` and its like stand for (ECMA-262, GetSubstitution).
  function substituted(form, text, found, at) {
    if (form.indexOf('$') < 0) return form;
    let made = '';
    for (let i = 0; i < form.length; i++) {
      let c = form.charAt(i), next = form.charAt(i + 1);
      if (c !== '$' || next === '') { made += c; continue; }
      if (next === '$') { made += '$'; i++; continue; }
      if (next === '&') { made += found[0]; i++; continue; }
      if (next === '`') { made += text.slice(0, at); i++; continue; }
      if (next === "'") { made += text.slice(at + found[0].length); i++; continue; }
      let two = Number(form.slice(i + 1, i + 3)), one = Number(next);
      if (/^\d\d/.test(form.slice(i + 1, i + 3)) && two > 0 && two < found.length) {
        made += found[two] === undefined ? '' : found[two]; i += 2;
      } else if (/\d/.test(next) && one > 0 && one < found.length) {
        made += found[one] === undefined ? '' : found[one]; i++;
      } else made += c;
    }
    return made;
  }

  function made(replacement, text, found, at) {
    if (typeof replacement !== 'function') return substituted(replacement, text, found, at);
    let args = [];
    for (let i = 0; i < found.length; i++) args[i] = found[i];
    args[args.length] = at;
    args[args.length] = text;
    return String(replacement.apply(undefined, args));
  }

  // Every match of a global expression, the only one of another.
  function matches(expression, text, take) {
    if (!expression.global) {
      let found = expression.exec(text);
      if (found) take(found, found.index);
      return;
    }
    expression.lastIndex = 0;
    for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
      take(found, found.index);
      if (found[0] === '') expression.lastIndex++;
    }
  }

  function occurrences(pattern, text, all, take) {
    for (let at = text.indexOf(pattern); at >= 0 && at <= text.length; ) {
      take([pattern], at);
      if (!all) return;
      let next = at + (pattern.length || 1);
      at = next > text.length ? -1 : text.indexOf(pattern, next);
    }
  }

  function text(value) {
    if (value === undefined || value === null) throw new TypeError('expected a text');
    return String(value);
  }

  function replaced(value, pattern, replacement, all) {
    let whole = text(value), form = typeof replacement === 'function' ? replacement : String(replacement);
    let done = '', last = 0;
    let take = function (found, at) {
      done += whole.slice(last, at) + made(form, whole, found, at);
      last = at + found[0].length;
    };
    if (pattern instanceof RegExp) {
      if (all && !pattern.global) throw new TypeError('replaceAll: expected an expression with g');
      matches(pattern, whole, take);
    } else occurrences(String(pattern), whole, all, take);
    return last === 0 && done === '' ? whole : done + whole.slice(last);
  }

  function splitBy(expression, whole, most) {
    let parts = [], whenEmpty = expression.exec(whole);
    if (whole === '') return whenEmpty && whenEmpty[0] === '' ? [] : [whole];
    let searching = new RegExp(expression.source, 'g' + expression.flags.replace(/[gy]/g, ''));
    let last = 0;
    for (let found = searching.exec(whole); found; found = searching.exec(whole)) {
      let end = found.index + found[0].length;
      if (found[0] === '') searching.lastIndex++;
      if (end === last || found.index >= whole.length) continue;
      parts[parts.length] = whole.slice(last, found.index);
      for (let i = 1; i < found.length; i++) parts[parts.length] = found[i];
      last = end;
      if (parts.length >= most) return parts.slice(0, most);
      list(parts);
    }
    parts[parts.length] = whole.slice(last);
    return parts.slice(0, most);
  }

  function splitAt(separator, whole, most) {
    let parts = [];
    if (separator === '') {
      for (let i = 0; i < whole.length && parts.length < most; i++) list(parts)[i] = whole.charAt(i);
      return list(parts);
    }
    let last = 0;
    for (let at = whole.indexOf(separator); at >= 0; at = whole.indexOf(separator, last)) {
      parts[parts.length] = whole.slice(last, at);
      last = at + separator.length;
      if (parts.length >= most) return parts.slice(0, most);
      list(parts);
    }
    parts[parts.length] = whole.slice(last);
    return parts.slice(0, most);
  }

  return {
    'Array': {
      from(values, change, self) {
        if (values === null || values === undefined) throw new TypeError('expected something to go through');
        if (change !== undefined) called(change);
        let all = [];
        let add = function (value) {
          all[all.length] = change === undefined ? value : change.call(self, value, all.length);
          list(all);
        };
        if (values[Symbol.iterator] !== undefined && values[Symbol.iterator] !== null) {
          for (let value of values) add(value);
        } else for (let i = 0; i < values.length; i++) add(values[i]);
        return all;
      },
      of() { return Array.from(arguments); }
    },
    'Array.prototype': {
      concat() {
        let all = list(this).slice();
        for (let i = 0; i < arguments.length; i++) {
          if (Array.isArray(arguments[i])) {
            let more = list(arguments[i]), begin = all.length;
            for (let j = 0; j < more.length; j++) if (j in more) all[begin + j] = more[j];
            all.length = begin + more.length;
          } else all[all.length] = arguments[i];
          list(all);
        }
        return all;
      },
      entries() { return over(list(this), function (values, i) { return [i, values[i]]; }); },
      flat(depth) { return flattened([], list(this), depth === undefined ? 1 : Number(depth)); },
      flatMap(change, self) { return flattened([], list(this).map(called(change), self), 1); },
      includes(wanted, from) {
        let values = list(this);
        for (let i = start(from, values.length); i < values.length; i++) {
          if (values[i] === wanted || (wanted !== wanted && values[i] !== values[i])) return true;
        }
        return false;
      },
      indexOf(wanted, from) {
        let values = list(this);
        for (let i = start(from, values.length); i < values.length; i++) if (i in values && values[i] === wanted) return i;
        return -1;
      },
      join(separator) {
        let values = list(this), between = separator === undefined ? ',' : String(separator);
        let all = '';
        for (let i = 0; i < values.length; i++) {
          if (i > 0) all += between;
          if (values[i] !== undefined && values[i] !== null) all += String(values[i]);
        }
        return all;
      },
      keys() { return over(list(this), function (values, i) { return i; }); },
      lastIndexOf(wanted, from) {
        let values = list(this), n = arguments.length < 2 ? values.length - 1 : Math.trunc(Number(from)) || 0;
        for (let i = n < 0 ? values.length + n : Math.min(n, values.length - 1); i >= 0; i--) {
          if (i in values && values[i] === wanted) return i;
        }
        return -1;
      },
      sort: sort,
      toString() { return this.join(); },
      values() { return over(list(this), function (values, i) { return values[i]; }); }
    },
    'String.prototype': {
      match(pattern) {
        let whole = text(this), expression = pattern instanceof RegExp ? pattern : new RegExp(pattern);
        if (!expression.global) return expression.exec(whole);
        let all = [];
        matches(expression, whole, function (found) { list(all)[all.length] = found[0]; });
        return all.length === 0 ? null : all;
      },
      matchAll(pattern) {
        if (!(pattern instanceof RegExp) || !pattern.global) throw new TypeError('matchAll: expected an expression with g');
        let all = [];
        matches(new RegExp(pattern.source, pattern.flags), text(this), function (found) { list(all)[all.length] = found; });
        return all.values();
      },
      replace(pattern, replacement) { return replaced(this, pattern, replacement, false); },
      replaceAll(pattern, replacement) { return replaced(this, pattern, replacement, true); },
      search(pattern) {
        let expression = new RegExp(pattern instanceof RegExp ? pattern.source : pattern,
            pattern instanceof RegExp ? pattern.flags.replace(/[gy]/g, '') : '');
        let found = expression.exec(text(this));
        return found === null ? -1 : found.index;
      },
      split(separator, limit) {
        let whole = text(this), most = limit === undefined ? Infinity : limit >>> 0;
        if (most === 0) return [];
        if (separator === undefined) return [whole];
        return separator instanceof RegExp ? splitBy(separator, whole, most) : splitAt(String(separator), whole, most);
      }
    },
    // One of each kind that has a prototype which no name leads to.
    kinds: [(function* () {})(), function* () {}, new Map().entries(), new Set().values(), (function () { return arguments; })()],
    iterator: function () {
      let whole = text(this);
      let at = 0;
      return {
        next() {
          if (at >= whole.length) return { value: undefined, done: true };
          let code = whole.codePointAt(at), width = code > 0xffff ? 2 : 1;
          at += width;
          return { value: whole.substr(at - width, width), done: false };
        },
        [Symbol.iterator]() { return this; }
      };
    }
  };
})
