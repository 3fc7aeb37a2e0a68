"""Small models in MJCF, each for a few features of the format."""

_BOX = '<geom type="box" size="0.1 0.05 0.02" density="500"/>'

_SEVERAL_JOINTS = """
<mujoco model="gimbal">
  <compiler angle="radian"/>
  <worldbody>
    <body name="cart" pos="0.1 0.2 0.3" euler="0.3 -0.2 0.5">
      <joint name="x" type="slide" axis="1 2 0" pos="0.3 0 0"/>
      <joint name="yaw" axis="0 0 1" pos="0.1 -0.2 0.05"/>
      <joint name="pitch" axis="0 3 4" pos="-0.1 0.1 0.2"/>
      <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.03"/>
      <body name="load" pos="0.4 0 0"><joint type="ball" pos="0 0 0.1"/>
        <joint name="lift" type="slide" axis="0 0 1"/>
        <geom type="ellipsoid" size="0.1 0.05 0.07" euler="0.1 0.2 0.3" pos="0.02 0 -0.1"/>
      </body>
    </body>
  </worldbody>
</mujoco>"""

_PASSIVE = """
<mujoco model="passive">
  <option gravity="1 -2 -3"/>
  <default>
    <joint damping="0.3" armature="0.02" stiffness="4"/>
    <default class="stiff"><joint stiffness="40" springref="30" ref="20"/></default>
  </default>
  <worldbody>
    <body pos="0 0 1">
      <joint name="a" axis="0 1 0" springref="-10" ref="45" frictionloss="0.3"/>
      <inertial pos="0.1 0 0.05" mass="2" fullinertia="0.03 0.04 0.05 0.001 -0.002 0.003"/>
      <frame pos="0.3 0 0" euler="0 90 20">
        <body childclass="stiff" euler="10 20 30">
          <joint name="b"/>
          <geom type="cylinder" size="0.05 0.2" mass="0.7"/>
          <body name="slider" pos="0 0 0.2">
            <joint name="c" type="slide" ref="0.2" springref="-0.1" axis="1 1 1"/>
            <geom type="sphere" size="0.1"/>
          </body>
        </body>
      </frame>
    </body>
  </worldbody>
</mujoco>"""

_FLYING = """
<mujoco model="flying">
  <default><joint armature="0.01"/></default>
  <worldbody>
    <body name="ship" pos="1 2 3" euler="10 20 30">
      <joint name="hull" type="free" damping="0.4" armature="0"/>
      <geom type="box" size="0.3 0.2 0.1" pos="0.05 0 0.02"/>
      <body name="mast" pos="0 0 0.1">
        <joint name="ball" type="ball" damping="0.2" pos="0 0 0.05" range="0 60"/>
        <geom type="capsule" size="0.02 0.3" pos="0 0 0.3"/>
        <body name="lamp" pos="0 0 0.6"><geom size="0.05"/></body>
      </body>
    </body>
    <body name="buoy" pos="0 1 0"><freejoint/><geom size="0.1" pos="0.1 0 0"/></body>
    <body name="pier" pos="0 0 -1" euler="0 0 45"><geom size="0.2"/>
      <body name="flag" pos="0 0 1"><joint axis="1 0 0"/><geom size="0.1" pos="0 0.2 0"/></body>
    </body>
  </worldbody>
</mujoco>"""

_ACTUATORS = f"""
<mujoco model="actuators">
  <option><flag clampctrl="disable"/></option>
  <worldbody>
    <body><joint name="a" axis="0 1 0" armature="0.1" ref="10"/>{_BOX}
      <body pos="0.2 0 0"><joint name="b" axis="0 1 0" damping="0.1"/>{_BOX}
        <body pos="0.2 0 0"><joint name="c" type="slide" axis="1 0 0"/>{_BOX}</body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="sum" stiffness="30" damping="0.7" springlength="0.2">
      <joint joint="a" coef="0.5"/><joint joint="b" coef="-2"/>
    </fixed>
    <fixed name="rope"><joint joint="b" coef="0.3"/><joint joint="c" coef="4"/></fixed>
    <fixed name="loose" stiffness="5"><joint joint="c" coef="2"/></fixed>
  </tendon>
  <actuator>
    <motor joint="a" gear="50" armature="0.001" damping="0.002"/>
    <position name="servo" joint="b" kp="20" kv="3" gear="2"/>
    <velocity name="pace" joint="c" kv="7"/>
    <general name="law" jointinparent="b" gear="-3" gainprm="4" biastype="affine"
      biasprm="0.5 -2 -0.1" ctrlrange="-1 2"/>
    <position name="rope" tendon="rope" kp="11" gear="0.5" damping="0.3"/>
    <motor tendon="sum" forcerange="-1 1"/>
    <motor name="group" joint="c" group="3"/>
  </actuator>
</mujoco>"""

_SWITCHED_OFF = """
<mujoco model="switched_off">
  <option actuatorgroupdisable="2">
    <flag gravity="disable" spring="disable" damper="disable" frictionloss="disable"/>
  </option>
  <worldbody>
    <body><joint name="a" stiffness="3 1 1" damping="2" frictionloss="1" axis="0 1 0"/>
      <geom size="0.1" pos="0.3 0 0"/></body>
  </worldbody>
  <tendon><fixed name="t" stiffness="7" damping="1"><joint joint="a" coef="2"/></fixed></tendon>
  <actuator>
    <position name="off" joint="a" group="2"/>
    <position name="on" joint="a" kp="9" damping="4"/>
  </actuator>
</mujoco>"""

_INERTIAS = """
<mujoco model="inertias">
  <compiler settotalmass="7" inertiafromgeom="true" inertiagrouprange="0 1" boundinertia="1e-3"
    eulerseq="ZYX" meshdir="meshes"/>
  <asset><mesh name="wedge" file="wedge.obj" scale="0.5 0.5 0.5" refpos="0.1 0 0"
    refquat="1 1 0 0"/></asset>
  <worldbody>
    <body name="one" pos="0.2 0 0">
      <joint axis="0 1 0"/>
      <inertial pos="9 9 9" mass="99" diaginertia="1 1 1"/>
      <geom type="mesh" mesh="wedge" pos="0.1 0.2 0.3" euler="10 20 30"/>
      <geom size="0.3" group="2"/>
      <body name="two"><joint axis="1 0 0" pos="0 0.1 0"/>
        <geom type="mesh" mesh="wedge"/><geom type="box" size="0.1 0.2 0.3" pos="0 0.3 0"/></body>
    </body>
  </worldbody>
</mujoco>"""

# a tetrahedron, none of whose faces is like another
WEDGE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

TREES = {
    "several_joints": _SEVERAL_JOINTS,
    "passive": _PASSIVE,
    "flying": _FLYING,
    "actuators": _ACTUATORS,
    "switched_off": _SWITCHED_OFF,
    "inertias": _INERTIAS,
}


def _chain(equality, last="", more=""):
    """Three links that swing in the plane, and one that flies."""
    return f"""
<mujoco model="loop">
  <worldbody>
    <site name="wall" pos="0.5 0 0.1"/>
    <body name="l1"><joint name="j1" axis="0 1 0"/>{_BOX}
      <body name="l2" pos="0.3 0 0"><joint name="j2" axis="0 1 0" ref="20"/>{_BOX}
        <body name="l3" pos="0 0 0.3"><joint name="j3" axis="0 1 0"/>{_BOX}
          <site name="tip" pos="0.2 0.01 0" euler="0 30 0"/>{last}</body>
      </body>
    </body>
    <body name="box" pos="0.5 0.1 0.4" euler="0 20 0"><freejoint/>{_BOX}
      <site name="grip" pos="0 0 -0.1"/></body>
    {more}
  </worldbody>
  <tendon>
    <fixed name="t1"><joint joint="j1" coef="2"/><joint joint="j2" coef="1"/></fixed>
    <fixed name="t2"><joint joint="j3" coef="-1"/><joint joint="j2" coef="0.5"/></fixed>
  </tendon>
  <equality>{equality}</equality>
  <actuator><motor joint="j2"/></actuator>
</mujoco>"""


LOOPS = {
    "connect": _chain('<connect body1="l3" anchor="0.2 0 0"/>'),
    "connect_bodies": _chain('<connect body1="box" body2="l2" anchor="-0.1 0.02 0"/>'),
    "connect_sites": _chain('<connect site1="tip" site2="grip"/>'),
    "weld": _chain('<weld body1="l3" body2="box"/>'),
    "weld_anchor": _chain('<weld name="w" body1="box" body2="l2" anchor="0.1 0.2 0.3"/>'),
    "weld_relpose": _chain('<weld body1="l3" body2="box" relpose="0.3 0 0 1 0.2 0.3 0"/>'),
    "weld_sites": _chain('<weld site1="grip" site2="tip"/>'),
    "weld_of_points": _chain('<weld body1="l3" body2="box" torquescale="0" anchor="0.1 0 0"/>'),
    "joint": _chain('<joint joint1="j3" joint2="j2" polycoef="0.1 -2 0 0 0"/>'),
    "joint_alone": _chain('<joint joint1="j2" polycoef="0.2 0 0 0 0"/>'),
    "tendons": _chain('<tendon tendon1="t1" tendon2="t2" polycoef="0.1 0.7 0 0 0"/>'),
    "tendon_alone": _chain('<tendon tendon1="t1" polycoef="0.3 0 0 0 0"/>'),
    "not_active": _chain('<connect body1="l3" anchor="0 0 0" active="false"/>'
                         '<joint joint1="j1" joint2="j2"/>'),
}  # fmt: skip
