"""The skirmish of rules/skirmish.rules in plain Python: moves are straight and end at the first body.

`python3 skirmish.py RUNS` prints the microseconds of processor time of a run.
"""
import random, math, sys, time
class U:
    __slots__=("side","role","men","nerve","pace","losses","shaken","acted","x","y","alive")
    def __init__(s,side,role,x,y,men=12,pace=6):
        s.side=side;s.role=role;s.men=men;s.nerve=8;s.pace=pace;s.losses=0;s.shaken=False;s.acted=False;s.x=x;s.y=y;s.alive=True
def d(r,n): return [r.randint(1,6) for _ in range(n)]
def dist(a,b): return max(0.0,math.hypot(a.x-b.x,a.y-b.y)-2)
def inside(u): return 21<=u.x<=27 and 15<=u.y<=21
def lose(r,u,n):
    u.losses=min(u.men,u.losses+n)
    if u.men-u.losses==0: u.alive=False; return
    if n>=3 and sum(d(r,2))>u.nerve:
        if u.shaken: u.alive=False
        else: u.shaken=True
def shoot(r,u,t):
    h=sum(x>=4 for x in d(r,u.men-u.losses))
    if inside(t): h=sum(x<5 for x in d(r,h))
    lose(r,t,h)
def fighting(u):
    s=u.men-u.losses
    return s//2 if u.role==0 else s if u.role==1 else s+2
def melee(r,a,b):
    w=sum(x>=5 for x in d(r,fighting(a))); l=sum(x>=5 for x in d(r,fighting(b)))
    lose(r,b,w); lose(r,a,l)
def move(u,t,m,units):
    dx,dy=t.x-u.x,t.y-u.y; L=math.hypot(dx,dy)
    if L==0: return
    dx/=L;dy/=L; best=min(m,max(0,L-2))
    for o in units:  # stop at bodies in the way
        if o is u or not o.alive: continue
        ox,oy=o.x-u.x,o.y-u.y; t0=ox*dx+oy*dy
        if t0<=0: continue
        p=ox*ox+oy*oy-t0*t0
        if p<4:
            hit=t0-math.sqrt(4-p)
            if hit<best: best=max(0,hit)
    u.x+=dx*best;u.y+=dy*best
def turn(r,side,policy,units):
    for u in units: u.acted=False
    while True:
        mine=[u for u in units if u.alive and u.side==side and not u.acted]
        foes=[u for u in units if u.alive and u.side!=side]
        menu=[]
        for u in mine:
            if u.role==0 and not u.shaken:
                for t in foes:
                    if dist(u,t)<=12: menu.append(("S",u,t))
            menu.append(("M",u,None))
            if u.role!=0 and not u.shaken:
                for t in foes:
                    if dist(u,t)<=2*u.pace: menu.append(("C",u,t))
            if u.shaken: menu.append(("R",u,None))
        pick=None
        for k in policy:
            for m in menu:
                if m[0]==k[0] and (len(k)==1 or m[2].role==0): pick=m;break
            if pick: break
        if not pick: return
        k,u,t=pick; u.acted=True
        if k=="S": shoot(r,u,t)
        elif k=="M":
            if foes: move(u,min(foes,key=lambda f:dist(u,f)),u.pace,units)
        elif k=="C":
            move(u,t,2*u.pace,units)
            if dist(u,t)<=0.002: melee(r,u,t)
        else:
            if sum(d(r,2))<=u.nerve: u.shaken=False
def run(seed):
    r=random.Random(seed)
    us=[U(0,0,24,6),U(0,1,16,6),U(0,2,34,6,6,10),U(1,0,24,18),U(1,1,16,30),U(1,2,34,30,6,10)]
    for _ in range(6):
        turn(r,0,["C","S","R","M"],us); turn(r,1,["R","S","CM"],us)
    return sum(u.men-u.losses for u in us if u.alive and u.side==0),sum(u.men-u.losses for u in us if u.alive and u.side==1)
n=int(sys.argv[1])
t=time.process_time()
for i in range(n): run(i)
print(1e6*(time.process_time()-t)/n)
