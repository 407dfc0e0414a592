// Quests by the rules, version 1, as fast as plain C does them: what the loop in Swift is measured
// beside. One loop for each number of enemies; what is seldom is out of line.
#include "quests.h"

#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))
#define GAMMA 0x9E3779B97F4A7C15u
#define MAX_LEVEL 200
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)

enum { APPEARS, HITS, EVADED, WAITS, FALLS, LEVEL_UP, WIDE, ENDS };
enum { WIN, FALL, TIMEOUT };

typedef struct {
  uint64_t *events;
  uint64_t count, room;
  int64_t last;
} log_sink;

typedef struct {
  int64_t pause, hit_points, place, level, dealt, taken;
  uint64_t evasion;
} foe;

typedef struct {
  const quest_world *world;
  uint64_t stream, appeared;
  int64_t multiplier, base_defense, start_level;
  int64_t level, hit_points, total, attack, defense, experience, kills, defeats, tick;
  // When enemies act next: ticks; with several of them, their slots from 1 on in the lowest three bits.
  int64_t turns[4];
  foe foes[4];
  int64_t outcome;
  log_sink log;
} state;

INLINE uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

INLINE uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
INLINE uint64_t next(uint64_t *x, uint64_t *y, uint64_t *z, uint64_t *w) {
  uint64_t draw = rotate(*x + *w, 23) + *x, shifted = *y << 17;
  *z ^= *x;
  *w ^= *y;
  *y ^= *z;
  *x ^= *w;
  *z ^= shifted;
  *w = rotate(*w, 45);
  return draw;
}
INLINE int64_t factor_of(uint64_t draw) {
  return 205 + (int64_t)((((draw >> 16) & 0xFFFF) * 52) >> 16);
}
INLINE int64_t stat_of(int64_t base, int64_t level) {
  return (int64_t)((uint64_t)(2 * base * level) / 100) + 5;
}
INLINE int64_t interval_of(int64_t speed) {
  int64_t ticks = 200000 / (speed + 50);
  return ticks > 1 ? ticks : 1;
}

INLINE void put(log_sink *log, uint64_t event) {
  if (log->count < log->room) log->events[log->count] = event;
  log->count++;
}

INLINE uint64_t event_of(int kind, int64_t ticks, int64_t actor, int64_t target, int64_t one,
                         int64_t two) {
  return ((uint64_t)ticks & 0xFFF) | (uint64_t)kind << 12 | (uint64_t)actor << 15 |
         (uint64_t)target << 18 | ((uint64_t)one & 0x1FFFFF) << 21 | (uint64_t)two << 42;
}

INLINE void note(int logged, state *s, int kind, int64_t tick, int64_t actor, int64_t target,
                 int64_t one, int64_t two) {
  if (!logged) return;
  if (UNLIKELY((uint64_t)one >> 21 | (uint64_t)two >> 22)) {
    put(&s->log, event_of(WIDE, 0, 0, 0, one >> 21, two >> 22));
  }
  put(&s->log, event_of(kind, tick - s->log.last, actor, target, one, two));
  s->log.last = tick;
}

// All numbers are positive and far below 2^63; what is divided by the defense is below 2^32.
INLINE uint64_t untyped(int64_t level, int64_t attack, int64_t multiplier, int64_t defense) {
  uint32_t force = (uint32_t)(((uint64_t)(2 * level) / 5 + 2) * 40 * (uint64_t)attack);
  return ((uint64_t)(force / (uint32_t)defense) / 50 + 2) * (uint64_t)multiplier / 256;
}

INLINE void set_stats(state *s) {
  s->attack = stat_of(75, s->level);
  s->defense = stat_of(s->base_defense, s->level);
}

INLINE void set_bases(state *s, int64_t slot) {
  foe *f = &s->foes[slot];
  const quest_kind *kind = &s->world->kinds[f->place];
  uint64_t base = untyped(s->level, s->attack, s->multiplier, stat_of(kind->defense, f->level));
  base = base * kind->effects[0] / 100;
  base = base * kind->effects[1] / 100;
  if (kind->effects[2] != 100 || kind->effects[3] != 100) {
    base = base * kind->effects[2] / 100 * kind->effects[3] / 100;
  }
  f->dealt = base > 1 ? (int64_t)base : 1;
  base = untyped(f->level, stat_of(kind->attack, f->level), kind->multiplier, s->defense);
  f->taken = base > 1 ? (int64_t)base : 1;
}

INLINE void appear(int logged, int64_t foes, state *s, int64_t slot) {
  s->appeared++;
  uint64_t u = mix(s->stream + s->appeared * GAMMA);
  int64_t place = (int64_t)(((u >> 32) * s->world->kind_count) >> 32);
  const quest_kind *kind = &s->world->kinds[place];
  int64_t level = s->start_level + (s->kills >> 2) + (int64_t)(((u & 0xFFFF) * 3) >> 16) - 1;
  if (level < 1) level = 1;
  if (level > MAX_LEVEL) level = MAX_LEVEL;
  foe *f = &s->foes[slot];
  s->turns[slot] = foes == 1 ? s->tick + kind->interval : ((s->tick + kind->interval) << 3 | (slot + 1));
  f->pause = kind->interval << (foes == 1 ? 0 : 3);
  f->hit_points = (int64_t)((uint64_t)(2 * kind->hp * level) / 100) + level + 10;
  f->place = place;
  f->level = level;
  f->evasion = kind->evasion;
  set_bases(s, slot);
  note(logged, s, APPEARS, s->tick, slot + 1, 0, place, level);
}

// An enemy has fallen.
INLINE void defeat(int logged, int64_t foes, state *s, int64_t slot) {
  const foe *f = &s->foes[slot];
  s->kills++;
  s->defeats++;
  s->experience += (int64_t)((uint64_t)(s->world->kinds[f->place].base_experience * f->level) / 7);
  note(logged, s, FALLS, s->tick, slot + 1, 0, s->kills, s->experience);
  if (s->kills >= s->world->goal) {
    s->outcome = WIN;
    note(logged, s, ENDS, s->tick, 0, 0, WIN, 0);
    return;
  }
  if (s->defeats >= 2 + (s->level >> 2) && s->level < MAX_LEVEL) {
    s->defeats = 0;
    s->level++;
    int64_t gain = s->total / 20 > 1 ? s->total / 20 : 1;
    s->total += gain;
    s->hit_points += gain;
    set_stats(s);
    for (int64_t i = 0; i < foes; i++) set_bases(s, i);
    note(logged, s, LEVEL_UP, s->tick, 0, 0, gain, s->level);
  }
  appear(logged, foes, s, slot);
}

static __attribute__((noinline)) void defeat_silent(int64_t foes, state *s, int64_t slot) {
  defeat(0, foes, s, slot);
}

static __attribute__((noinline)) void defeat_logged(int64_t foes, state *s, int64_t slot) {
  defeat(1, foes, s, slot);
}

INLINE void run(int logged, int64_t foes, const quest_world *world, const quest_fighter *fighter,
                uint64_t number, quest_result *result, log_sink *log) {
  uint64_t x = mix(world->seed + GAMMA);
  uint64_t y = mix(x ^ (fighter->id * GAMMA + 1));
  uint64_t z = mix(y ^ (number * GAMMA + 2));
  uint64_t w = mix(z + GAMMA);
  state s = {.world = world,
             .stream = w ^ 0xD1B54A32D192ED03u,
             .multiplier = fighter->multiplier,
             .base_defense = fighter->defense,
             .start_level = fighter->level,
             .level = fighter->level,
             .hit_points = fighter->current_hit_points,
             .total = fighter->total_hit_points,
             .outcome = -1};
  if (logged) s.log = *log;
  set_stats(&s);
  for (int64_t slot = 0; slot < foes; slot++) appear(logged, foes, &s, slot);
  const int64_t pause = interval_of(fighter->speed) << (foes == 1 ? 0 : 3), limit = world->limit;
  const int shift = foes == 1 ? 0 : 3;
  const uint64_t evasion = (uint64_t)fighter->evasion * 256;
  int64_t turn0 = pause, events = 0, dealt = 0, taken = 0, target = 0;
  for (;;) {
    int64_t turn = s.turns[0];
    for (int64_t i = 1; i < foes; i++) turn = s.turns[i] < turn ? s.turns[i] : turn;
    if (turn0 <= turn) {
      int64_t now = turn0 >> shift;
      if (UNLIKELY(now > limit)) goto late;
      s.tick = now;
      events++;
      uint64_t draw = next(&x, &y, &z, &w);
      turn0 += pause;
      foe *f = &s.foes[target];
      if ((draw >> 48) < f->evasion) {
        note(logged, &s, EVADED, now, 0, target + 1, 0, 0);
        continue;
      }
      int64_t damage = (f->dealt * factor_of(draw)) >> 8;
      if (damage < 1) damage = 1;
      dealt += damage;
      int64_t left = f->hit_points - damage;
      f->hit_points = left;
      note(logged, &s, HITS, now, 0, target + 1, damage, left > 0 ? left : 0);
      if (left <= 0) {
        if (logged) {
          defeat_logged(foes, &s, target);
        } else {
          defeat_silent(foes, &s, target);
        }
        if (s.outcome >= 0) break;
        target = target + 1 == foes ? 0 : target + 1;
      }
    } else {
      int64_t now = turn >> shift, slot = foes == 1 ? 1 : turn & 7;
      if (UNLIKELY(now > limit)) goto late;
      s.tick = now;
      events++;
      uint64_t draw = next(&x, &y, &z, &w);
      foe *f = &s.foes[slot - 1];
      s.turns[slot - 1] += f->pause;
      if (((draw >> 32) & 0xFFFF) < 16384) {
        note(logged, &s, WAITS, now, slot, 0, 0, 0);
        continue;
      }
      if ((draw >> 48) < evasion) {
        note(logged, &s, EVADED, now, slot, 0, 0, 0);
        continue;
      }
      int64_t damage = (f->taken * factor_of(draw)) >> 8;
      if (damage < 1) damage = 1;
      taken += damage;
      int64_t left = s.hit_points - damage;
      s.hit_points = left > 0 ? left : 0;
      note(logged, &s, HITS, now, slot, 0, damage, s.hit_points);
      if (left <= 0) {
        note(logged, &s, FALLS, now, 0, 0, s.kills, s.experience);
        s.outcome = FALL;
        note(logged, &s, ENDS, now, 0, 0, FALL, 0);
        break;
      }
    }
  }
  goto end;
late:
  s.tick = limit;
  s.outcome = TIMEOUT;
  note(logged, &s, ENDS, limit, 0, 0, TIMEOUT, 0);
end:
  *result = (quest_result){s.outcome, s.tick,  events,       s.kills, s.level,
                           s.hit_points, s.total, s.experience, dealt,   taken};
  if (logged) *log = s.log;
}

// One loop for each number of enemies, in which it is a constant.
INLINE void run_any(int logged, const quest_world *world, const quest_fighter *fighter,
                    uint64_t number, quest_result *result, log_sink *log) {
  switch (world->foes) {
    case 1: return run(logged, 1, world, fighter, number, result, log);
    case 2: return run(logged, 2, world, fighter, number, result, log);
    case 3: return run(logged, 3, world, fighter, number, result, log);
    default: return run(logged, 4, world, fighter, number, result, log);
  }
}

void quest_run(const quest_world *world, const quest_fighter *fighter, uint64_t number,
               quest_result *result) {
  run_any(0, world, fighter, number, result, NULL);
}

uint64_t quest_run_logged(const quest_world *world, const quest_fighter *fighter, uint64_t number,
                          quest_result *result, uint64_t *events, uint64_t room) {
  log_sink log = {events, 0, room, 0};
  run_any(1, world, fighter, number, result, &log);
  return log.count;
}
