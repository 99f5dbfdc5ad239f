import time

def tick(n):
    return n

for n in range(30000):
    tick(n)
    time.sleep(0.02)
