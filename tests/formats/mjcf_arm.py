"""A small arm in MJCF, of which tests change a few words."""

MJCF_ARM = """\
<mujoco model="arm">
  <compiler angle="radian"/>
  <option gravity="0 0 -9.81"/>
  <worldbody>
    <body name="upper" pos="0 0 0.1">
      <joint name="shoulder" axis="0 1 0" range="-2 2" damping="0.5"/>
      <geom name="rod" type="capsule" size="0.05 0.2" mass="2"/>
      <body name="fore" pos="0 0 0.4">
        <joint name="elbow" axis="0 1 1"/>
        <geom type="capsule" size="0.04 0.15" mass="1"/>
        <site name="tool" pos="0 0 0.3"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="belt"><joint joint="shoulder" coef="1"/><joint joint="elbow" coef="-2"/></fixed>
  </tendon>
  <equality>
    <joint name="link" joint1="elbow" joint2="shoulder" polycoef="0 0.5 0 0 0"/>
  </equality>
  <actuator>
    <motor name="drive" joint="shoulder" gear="10"/>
  </actuator>
</mujoco>
"""
